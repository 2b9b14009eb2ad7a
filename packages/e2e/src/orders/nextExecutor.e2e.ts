/**
 * What the executor of each call is for: one with another family is deployed beside the one that serves, and a running
 * API moves to it. The older one is ours at another salt, published with all families but one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { wire } from '@braid-swap/api'
import { WHYPE } from '@braid-swap/api/testing'
import { executorDeployment, routerDeployment } from '@braid-swap/contracts'
import type { Address, Hex } from '@braid-swap/core'
import { approveCall, type Chain, mintCalls } from '@braid-swap/devnet'
import { createToken } from '@braid-swap/devnet/testing'
import { concatHex, getCreate2Address, parseAbiItem, sliceHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deployments } from '../../../contracts/src/generated/deployments.js'
import { type Served, startTrustWorld, type TrustWorld } from '../trust/trustWorld.js'
import { balanceOf } from './execution/balances.js'

/** The family that only the newer executor knows. */
const NEW_FAMILY = 'uniswapV3'
const HYPE = 10n ** 18n
const Approval = parseAbiItem(
  'event Approval(address indexed owner, address indexed spender, uint256)',
)

/** The router, and both executors as their deployment's calldata. */
function contracts() {
  const { router, ...creation } = routerDeployment(WHYPE)
  const { executor, ...newer } = executorDeployment(router, WHYPE)
  const salt: Hex = `0x${'11'.repeat(32)}`
  const bytecode = sliceHex(newer.calldata, 32)
  const address = getCreate2Address({ from: newer.factory, salt, bytecode }).toLowerCase()
  const older = {
    executor: {
      ...executor,
      ...{ version: executor.version - 1, address: address as Address },
      families: executor.families.filter((name) => name !== NEW_FAMILY),
    },
    calldata: concatHex([salt, bytecode]),
  }
  return { router, creation, older, newer: { ...newer, executor } }
}

/** What a package with another executor would have in its list of deployments. */
const published = {
  999: { router: contracts().router, executors: [contracts().older.executor] },
}

const create = (chain: Chain, calldata: Hex) => {
  const { creation } = contracts()
  const gas = 10_000_000n
  return chain.execute([
    { label: 'deploy', from: chain.deployer, to: creation.factory, data: calldata, gas },
  ])
}

let world: TrustWorld
let api: Served
/** A token that only a pool of the new family sells. */
let far: Address

beforeAll(async () => {
  Object.assign(deployments, published)
  world = await startTrustWorld(async (chain) => {
    const { router, creation, older } = contracts()
    await create(chain, creation.calldata)
    await create(chain, older.calldata)
    return { router, executor: older.executor.address }
  })
  const { chain, money, wallet, router } = world
  far = (await createToken(chain, { symbol: 'FAR', name: 'Far', decimals: 18 })).address
  await world.addV3([money, far], 10_000n * HYPE)
  await chain.execute([
    ...mintCalls(chain.deployer, { token: money, to: wallet, amount: 1_000n * HYPE }),
    approveCall(money, { owner: wallet, spender: router }),
  ])
  api = await world.serve([], { routerCheckMs: 100 })
})
afterAll(async () => {
  for (const chainId of Object.keys(published)) Reflect.deleteProperty(deployments, chainId)
  await api?.stop()
  await world?.stop()
})

const sale = (dst: Address = WHYPE) =>
  api.swap({ src: world.money, dst, amount: `${HYPE}`, value: '0' })
const executorOf = ({ meta }: wire.SwapBody) => meta?.intent?.executor.toLowerCase()

it('a running API moves to an executor with one more family: no answer fails, nobody approves again, older transactions execute', async () => {
  const { chain, wallet, money } = world
  const { older, newer } = contracts()
  const from = await chain.client.getBlockNumber()
  const before = await sale()
  expect([before.status, executorOf(before.body)]).toEqual([200, older.executor.address])
  // What no deployed executor performs is not quoted.
  expect(await sale(far)).toMatchObject({ status: 422, body: { code: 'NO_ROUTE' } })

  const seen: unknown[] = []
  let isOver = false
  const load = async () => {
    while (!isOver) {
      const { status, body } = await sale()
      seen.push(status === 200 ? executorOf(body) : body)
    }
  }
  const loads = [load(), load(), load()]
  while (seen.length === 0) await sleep(20)
  await create(chain, newer.calldata)
  while (seen.at(-1) !== newer.executor.address) await sleep(20)
  isOver = true
  await Promise.all(loads)
  expect(new Set(seen)).toEqual(new Set([older.executor.address, newer.executor.address]))

  const after = await sale()
  const widened = await sale(far)
  for (const { body } of [after, widened]) {
    expect(executorOf(body)).toBe(newer.executor.address)
  }
  for (const [token, { body }] of [
    [far, widened],
    [WHYPE, before],
  ] as const) {
    const had = await balanceOf(chain.client, { token, account: wallet })
    expect(await api.passes(body)).toBe(true)
    const has = await balanceOf(chain.client, { token, account: wallet })
    expect(`${has - had}`).toBe(body.dstAmount)
  }
  expect(await api.passes(after.body)).toBe(true)
  const approvals = await chain.client.getLogs({
    ...{ address: money, event: Approval, args: { owner: wallet }, fromBlock: from + 1n },
  })
  expect(approvals).toEqual([])
}, 120_000)
