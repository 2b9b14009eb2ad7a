// What is remembered of a swap whose end is not known, and what later commands make of it.

import { CUT, type Rule } from '@braid-swap/worlds/node'
import { describe, expect, it, vi } from 'vitest'
import {
  AMOUNT,
  borrowForFile,
  chain,
  kept,
  keyEnv,
  measure,
  ONE_SWAP,
  onBroadcast,
  send,
  swapThrough,
  UNKNOWN,
} from '../testing/outcomeWorld.js'

borrowForFile()

/** A node that takes the swap, and then knows nothing of it. */
const forgetful: Rule = async (ask, method) => {
  if (method === 'eth_sendRawTransaction') {
    await ask()
    return CUT
  }
  return /^eth_getTransaction(ByHash|Receipt)$/.test(method) ? null : ask()
}
const honest: Rule = (ask) => ask()
/** Until the deadline of every swap sent so far has passed, by the own clock and by the chain's. */
async function aDayLater() {
  const { timestamp } = await chain.devnet.client.getBlock()
  const seconds = Math.max(Math.floor(Date.now() / 1_000), Number(timestamp)) + 86_400
  vi.useFakeTimers({ now: seconds * 1_000, toFake: ['Date'] })
  await chain.devnet.client.setNextBlockTimestamp({ timestamp: BigInt(seconds) })
  await chain.devnet.mine()
}

describe('a swap whose end is not known', () => {
  it('is not sold again, blocks no other order, and its end is found by a later command', async () => {
    chain.mining = false
    expect(await swapThrough(forgetful)).toMatchObject(UNKNOWN)
    // The same order waits for the end of the first.
    expect(await swapThrough(forgetful)).toMatchObject(UNKNOWN)
    expect(kept()).toHaveLength(1)
    chain.mining = true
    const other = await measure(() =>
      send(honest, keyEnv(), ['--receiver', `0x${'7e'.repeat(20)}`]),
    )
    expect([other.code, other.err]).toEqual([0, expect.stringContaining('an earlier swap')])
    const { transactions, code, said, err } = await swapThrough(honest)
    // What another command found, this one need not find again.
    expect([code, said.amountOut, transactions]).toEqual([0, `${AMOUNT}`, expect.any(Number)])
    expect(err).not.toContain('UNKNOWN')
    expect(kept()).toEqual([])
  })

  it('never left: no later command sends it, not even one for the same order', async () => {
    expect(await swapThrough(onBroadcast(() => CUT))).toMatchObject(UNKNOWN)
    expect(await swapThrough(honest)).toMatchObject(UNKNOWN)
    const other = await measure(() =>
      send(honest, keyEnv(), ['--receiver', `0x${'7f'.repeat(20)}`]),
    )
    expect(other).toMatchObject({ code: 0, bought: 0n, transactions: 1 })
  })

  it('was performed: a command of the next day says so, and sends nothing', async () => {
    chain.mining = false
    expect(await swapThrough(forgetful)).toMatchObject(UNKNOWN)
    await chain.devnet.mine()
    await aDayLater()
    const { said, err, ...ran } = await swapThrough(honest)
    expect(ran).toMatchObject({ code: 0, bought: 0n, transactions: 0 })
    expect(said).toMatchObject({ amountOut: `${AMOUNT}` })
    expect(err).toContain('nothing was sent now; run the command again to swap again')
    expect(kept()).toEqual([])
  })

  it('was certainly not: a command of the next day says so, and sells', async () => {
    expect(await swapThrough(onBroadcast(() => CUT))).toMatchObject(UNKNOWN)
    await aDayLater()
    const ran = await swapThrough(honest)
    expect(ran).toMatchObject(ONE_SWAP)
    expect(ran.err).toContain('its deadline has passed')
    expect(kept()).toEqual([])
  })

  it('cannot be kept: nothing is sent', async () => {
    const { KEY } = keyEnv()
    expect(await swapThrough(honest, { KEY: KEY!, XDG_STATE_HOME: '/dev/null' })).toMatchObject({
      ...{ code: 2, bought: 0n, transactions: 0, out: '' },
      said: { error: { code: 'FILE_UNREADABLE' } },
    })
  })
})
