// How long a swap is waited for, and what a node has to show.

import { toHex } from '@braid-swap/core/advanced'
import { expect, it } from 'vitest'
import {
  follow,
  from,
  HASH,
  OURS,
  performed,
  ROUTER,
  sent,
  signed,
  stopClock,
  withBlock,
} from '../testing/followedSwap.js'

stopClock()

it('one that the node does not know is given up after 20 seconds, with a look in each', async () => {
  const { endAfter, count } = follow({})
  expect(await endAfter(20_500)).toBeUndefined()
  expect(count('eth_getTransactionByHash')).toBe(21)
  expect(await endAfter(500)).toMatchObject({
    ...{ code: 'OUTCOME_UNKNOWN', hash: HASH, sent },
    message: expect.stringContaining('the node does not know it'),
  })
})

const pending = { hash: HASH, from, input: sent.data, nonce: '0x4' }

it('one that waits for a block is given up after three minutes', async () => {
  const { endAfter } = follow({ eth_getTransactionByHash: () => pending })
  expect(await endAfter(180_500)).toBeUndefined()
  expect(await endAfter(500)).toMatchObject({
    ...{ code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('it waits for a block') },
  })
})

it('on another chain it waits longer than for one that the node does not know', async () => {
  const { endAfter, asked } = follow({ eth_chainId: () => '0x1' }, OURS)
  expect(await endAfter(180_500)).toBeUndefined()
  expect(await endAfter(500)).toMatchObject({
    message: expect.stringContaining('the wallet uses another chain'),
  })
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['eth_chainId']))
})

it('what a node says while its wallet is switched to another chain is not believed', async () => {
  const stranger = await signed({})
  let isAway = false
  const { endAfter } = follow(
    {
      ...withBlock(stranger),
      eth_chainId: () => (isAway ? '0x1' : '0x3e7'),
      eth_getTransactionByHash: () => {
        isAway = true
        return null
      },
    },
    OURS,
  )
  expect(await endAfter(181_000)).toMatchObject({
    message: expect.stringContaining('the wallet uses another chain'),
  })
})

const REPLACED = { code: 'REPLACED', details: { hash: HASH, other: expect.stringMatching(/^0x/) } }
it.each<readonly [string, object, object | undefined]>([
  ['has our nonce and is signed by its owner', {}, REPLACED],
  ['has another nonce', { nonce: 3 }, undefined],
  ['is of another chain', { chainId: 1 }, undefined],
  ['was not signed by the owner', { forged: { value: '0x1' } }, undefined],
])(
  'only a transaction that %s is in its place',
  async (_, { forged = {}, ...of }: { forged?: object }, end) => {
    const stranger = { ...(await signed(of)), chainId: '0x3e7', nonce: '0x4', ...forged }
    const shown = end
      ? stranger
      : { ...stranger, ...of, ...('chainId' in of && { chainId: '0x1' }) }
    const found = await follow(withBlock(shown), OURS).endAfter(1_500)
    if (end) expect(found).toMatchObject(end)
    else expect(found).toBeUndefined()
  },
)

it('the nonce of a wallet counts once its transaction was seen, and no guess before', async () => {
  const [ours, stranger] = [await signed({ to: ROUTER, data: sent.data }), await signed({})]
  const unseen = follow(withBlock(stranger), { hash: ours.hash })
  expect(await unseen.endAfter(21_000)).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  let looks = 0
  const eth_getTransactionByHash = () => (looks++ < 2 ? ours : null)
  const seen = follow({ ...withBlock(stranger), eth_getTransactionByHash }, { hash: ours.hash })
  expect(await seen.endAfter(4_000)).toMatchObject({ code: 'REPLACED' })
})

it('only its owner’s cancel ends what a wallet signed: behind another one it may sign it again', async () => {
  const ours = await signed({ to: ROUTER, data: sent.data })
  for (const [of, code] of [
    [{ to: ROUTER }, 'OUTCOME_UNKNOWN'],
    [{ data: '0x01' }, 'OUTCOME_UNKNOWN'],
    [{}, 'REPLACED'],
  ] as const) {
    let looks = 0
    const eth_getTransactionByHash = () => (looks++ < 2 ? ours : null)
    const node = { ...withBlock(await signed(of)), eth_getTransactionByHash }
    const { endAfter } = follow(node, { hash: ours.hash })
    expect(await endAfter(25_000)).toMatchObject({ code })
  }
})

it('one that failed is seen twice, and never while the router reports a swap', async () => {
  const { node, receipt, of } = await performed()
  expect(await follow(node, of).endAfter(0)).toMatchObject({ hash: of.hash, amountOut: 6n })
  const failed = {
    ...node,
    eth_getTransactionReceipt: () => ({ ...receipt, status: '0x0', logs: [] }),
  }
  const { endAfter } = follow({ ...failed, eth_getLogs: () => [] }, of)
  expect(await endAfter(500)).toBeUndefined()
  expect(await endAfter(1_000)).toMatchObject({ code: 'REVERTED', details: of })
  expect(await follow(failed, of).endAfter(181_000)).toMatchObject({
    ...{ code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('does not fit together') },
  })
})

it.each<readonly [string, Parameters<typeof performed>[0]]>([
  ['of another payer', { payer: toHex(4, 20) }],
  ['for another receiver', { receiver: toHex(4, 20) }],
  ['of another amount', { amounts: [8n, 6n] }],
  ['below the floor', { amounts: [7n, 5n] }],
])('an event %s does not say that the swap was performed', async (_, event) => {
  const { node, of } = await performed(event)
  expect(await follow(node, of).endAfter(3_000)).toBeUndefined()
})

it('one from before is another, though its bytes are the same and a wallet names its hash', async () => {
  const { node, of } = await performed()
  const after = { ...node, eth_blockNumber: () => '0x7', eth_getLogs: () => [] }
  const { endAfter } = follow(after, { ...of, block: '6' })
  expect(await endAfter(21_000)).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
})

it('one of ours is sent again at each look that does not find it', async () => {
  const { endAfter, count } = follow({}, OURS, '0x02')
  await endAfter(2_000)
  expect(count('eth_sendRawTransaction')).toBe(3)
})
