// Tokens that are tested again, on a chain where a test says whether a token can be moved.
import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import {
  decodeFunctionData,
  encodeFunctionResult,
  multicall3Abi,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { wordAt } from '../reads/abiWords.js'
import { readHeader } from '../reads/headers.js'
import {
  createPair,
  pairAt,
  pairVenue,
  type ScriptedNode,
  startScriptedNode,
  TOKENS,
} from '../testing/scriptedNode.js'
import { watchSteps } from '../testing/watchSteps.js'
import type { Client } from '../transport/client.js'
import type { Result } from '../trust/nestedCalls.js'
import { loadSnapshot } from './loadMarket.js'
import type { Market } from './market.js'
import { retestTokens } from './retestTokens.js'

const [t0, t1, t2, t3] = TOKENS as [Address, Address, Address, Address]
const [p01, p12, p20] = [0, 1, 2].map(pairAt) as [Address, Address, Address]
const E18 = 10n ** 18n
/** Blocks in a row in which a token that failed must pass. */
const PASSES = 16
const counterparty = toHex(0xe8ec, 20)
const BALANCE_OF = toFunctionSelector('function balanceOf(address)')

let node: ScriptedNode
let client: Client
/** Tokens that no transfer moves. */
let stuck: Set<Address>
let market: Market

beforeEach(async () => {
  node = await startScriptedNode()
  client = createClient(node.url)
  stuck = new Set()
  node.mine(
    createPair(p01, [t0, t1], [E18, E18]),
    createPair(p12, [t1, t2], [E18, E18]),
    createPair(p20, [t2, t0], [E18, E18]),
    ({ contracts }) => {
      contracts.set(counterparty, (data) => moved(data))
      return []
    },
  )
  market = await loadSnapshot(client, { venues: [pairVenue], wrappedNative: t0 })
  // Nothing is known of its node, so that overrides are taken to be honoured.
  client = createClient(node.url)
})
afterEach(() => node.stop())

type Call = { readonly target: Address; readonly callData: Hex }
const callsIn = (data: Hex) =>
  decodeFunctionData({ abi: multicall3Abi, data }).args![0] as readonly Call[]
const resultOf = (result: readonly Result[]) =>
  encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })

/** What the calls of the counterparty come to, when it and the holders run Multicall3. */
function moved(data: Hex): Hex {
  const balances = new Map<string, bigint>()
  const balanceOf = (token: Address, of: bigint) => balances.get(`${token} ${of}`) ?? 10n ** 24n
  const run = (from: bigint, { target, callData }: Call): Result => {
    const token = target.toLowerCase() as Address
    if (!TOKENS.includes(token)) {
      const inner = callsIn(callData).map((one) => run(BigInt(target), one))
      return { success: true, returnData: resultOf(inner) }
    }
    const args: Hex = `0x${callData.slice(10)}`
    const who = wordAt(args, 0)
    if (callData.startsWith(BALANCE_OF)) {
      return { success: true, returnData: toHex(balanceOf(token, who), 32) }
    }
    if (stuck.has(token)) return { success: false, returnData: '0x08c379a0' }
    const amount = wordAt(args, 1)
    const [left, held] = [balanceOf(token, from) - amount, balanceOf(token, who) + amount]
    balances.set(`${token} ${from}`, left)
    balances.set(`${token} ${who}`, held)
    return { success: true, returnData: toHex(1, 32) }
  }
  return resultOf(callsIn(data).map((one) => run(BigInt(counterparty), one)))
}

const retest = async (of: Market, tokens: readonly Address[]) =>
  retestTokens(client, of, {
    ...{ tokens, counterparty, header: await readHeader(client, 'latest') },
  })
/** Tests tokens in as many new blocks as one that failed must pass in. */
async function retestOften(of: Market, tokens: readonly Address[]): Promise<Market> {
  let after = of
  for (let i = 0; i < PASSES; i++) {
    node.mine()
    after = await retest(after, tokens)
  }
  return after
}
const idsOf = (pools: readonly { readonly id: Hex }[]) => pools.map(({ id }) => id)
const asideOf = ({ state }: Market) => state.setAside.map(({ id, code }) => [id, code])

it('leaves the market as it is where every token passes, or fails as before', async () => {
  expect(await retest(market, [t1, t2])).toBe(market)
  stuck.add(t1)
  const failed = await retest(market, [t1])
  expect(await retest(failed, [t1, t2])).toBe(failed)
})

it('sets the pools of a token aside that fails, and forgets tokens that no pool has', async () => {
  stuck.add(t1)
  const failed = await retest(market, [t1, t2])
  expect(failed.trust.flawed).toMatchObject([{ address: t1, code: 'TOKEN_STUCK', holder: p12 }])
  expect(asideOf(failed)).toEqual([
    [p01, 'TOKEN_STUCK'],
    [p12, 'TOKEN_STUCK'],
  ])
  expect(idsOf(failed.state.snapshot.pools)).toEqual([t0, p20])
  expect(failed.state.snapshot.tokens.map(({ address }) => address)).not.toContain(t1)
  expect(failed.state.snapshot.tokens).toHaveLength(3)
  expect(failed.state.snapshot.block).toEqual(market.state.snapshot.block)
  expect(failed.state.pools).toBe(market.state.pools)
})

it('lets the pools of a token that passes again be read, except those of another that fails', async () => {
  for (const token of [t1, t2]) stuck.add(token)
  const failed = await retest(market, [t1, t2])
  expect(idsOf(failed.state.snapshot.pools)).toEqual([t0])
  stuck.delete(t1)
  // No pool of the market holds the token now: the account that held it before is asked.
  const healed = await retestOften(failed, [t1, t2])
  expect(healed.trust.flawed.map(({ address }) => address)).toEqual([t2])
  expect(asideOf(healed)).toEqual([
    [p12, 'TOKEN_STUCK'],
    [p20, 'TOKEN_STUCK'],
  ])
  expect(healed.state.snapshot.pools).toEqual(failed.state.snapshot.pools)
})

it('keeps what is set aside for another reason, and pools that are no longer known out of it', async () => {
  stuck.add(t1)
  const failed = await retest(market, [t1])
  const other = { id: pairAt(7), venue: 'pairs', code: 'POOL_EMPTY', message: '' } as const
  const gone = { id: pairAt(8), venue: 'pairs', code: 'TOKEN_STUCK', message: '' } as const
  stuck.delete(t1)
  const setAside = [...failed.state.setAside, other, gone]
  const healed = await retestOften({ ...failed, state: { ...failed.state, setAside } }, [t1])
  expect(healed.state.setAside).toEqual([other])
  expect(healed.trust.flawed).toEqual([])
  expect(await retest(market, [t3])).toBe(market)
})

it('keeps a token out that does not pass in enough blocks in a row, however often it is asked in one', async () => {
  stuck.add(t1)
  let after = await retest(market, [t1])
  for (let i = 0; i < 3 * PASSES; i++) {
    if (i % PASSES === PASSES - 1) stuck.add(t1)
    else stuck.delete(t1)
    node.mine()
    for (let times = 0; times < 2; times++) after = await retest(after, [t1])
  }
  expect(after.trust.flawed.map(({ address }) => address)).toEqual([t1])
  expect(asideOf(after)).toHaveLength(2)
})

it('resumes from no market in which a token was sound that is not', async () => {
  const quiet = () => void node.mine()
  const pause = () => {
    stuck.add(t1)
    node.mine(() => [{ address: t1, topics: [toEventSelector('Paused(address)')], data: '0x' }])
  }
  const reorganise = () => {
    node.undo(2)
    for (let i = 0; i < 3; i++) node.mine()
  }
  const { seen } = await watchSteps(node, [quiet, quiet, pause, reorganise], {
    ...{ client, venues: [pairVenue], start: market, counterparty, auditEvery: 0 },
  })
  expect(seen.at(-1)!.state.snapshot.block.hash).toBe(node.head().hash)
  expect(idsOf(seen.at(-1)!.state.snapshot.pools)).toEqual([t0, p20])
})

it('tests a token at once that says in a log that it was paused, before its block is quoted', async () => {
  const says = (event: string) => () =>
    void node.mine(() => [{ address: t1, topics: [toEventSelector(event)], data: '0x' }])
  const quiet = () => void node.mine()
  const pause = () => {
    stuck.add(t1)
    says('Paused(address)')()
  }
  const unpause = () => {
    stuck.delete(t1)
    says('Unpaused(address)')()
  }
  const later = Array.from({ length: PASSES }, () => quiet)
  const { seen, errors } = await watchSteps(node, [quiet, quiet, pause, quiet, unpause, ...later], {
    ...{ client, venues: [pairVenue], start: market, counterparty, auditEvery: 0 },
  })
  expect(errors).toEqual([])
  const all = [t0, p01, p12, p20]
  const without = [t0, p20]
  // Its pools are read in the block after the last that it must pass in.
  const wanted = [all, all, without, without, ...later.map(() => without), all]
  const blocks = new Map(seen.map(({ state: { snapshot } }) => [snapshot.block.number, snapshot]))
  expect([...blocks.values()].map(({ pools }) => idsOf(pools).sort())).toEqual(
    wanted.map((ids) => [...ids].sort()),
  )
})
