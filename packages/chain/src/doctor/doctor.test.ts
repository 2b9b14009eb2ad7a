// What `braid doctor` says of a chain and of venues that are as they claim, and of those that are not, on a chain
// that the tests write. The node runs the program of `askPools.ts` by its arguments: pools lend what they
// have, and pairs keep x · y with a fee that the test chooses.
import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { Refusal } from '@braid-swap/worlds/node'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../chains/createClient.js'
import { hyperEvm } from '../chains/hyperevm.js'
import { GET_RESERVES } from '../pools/uniswapV2/abi.js'
import {
  answerKey,
  createPair,
  FACTORY,
  pairAt,
  pairVenue,
  type ScriptedNode,
  startScriptedNode,
  TOKENS,
  trade,
} from '../testing/scriptedNode.js'
import {
  answerProgram,
  programIn,
  type ScriptedAsk,
  type ToldSwap,
} from '../testing/scriptedProgram.js'
import { examineChain } from './examineChain.js'
import { examineVenues, PAYS } from './examineVenues.js'
import { findVenuePools } from './findVenuePools.js'

const [wrappedNative, other] = TOKENS as [Address, Address]
const E18 = 10n ** 18n
const FEE_PPM = 3_000n

let node: ScriptedNode
/** What pairs take of an input. */
let feePpm: bigint
/** Called before a program is run. */
let beforeProgram: () => void
/** Contracts without code. */
let codeless: readonly string[]

beforeEach(async () => {
  node = await startScriptedNode()
  feePpm = FEE_PPM
  beforeProgram = () => undefined
  codeless = []
  node.tamper = (asked, honest) => {
    if (asked.method === 'eth_getCode') {
      const [address] = asked.params as readonly [Address]
      return codeless.includes(address.toLowerCase()) ? '0x' : '0x6000'
    }
    const program = programIn(asked)
    if (program === undefined) return honest()
    beforeProgram()
    return answerProgram(node.head(), program, lent)
  }
})
afterEach(() => node.stop())

/** What a pair pays after another lent the input: the asked output, or a wei more. */
function lent({ pool, lender, token, amountIn, amountOut }: ScriptedAsk): ToldSwap {
  const held = (id: Address) => {
    const { tokens, reserves } = node.head().state.pairs.get(id)!
    const side = tokens.indexOf(token)
    return side === 0 ? reserves : ([reserves[1], reserves[0]] as const)
  }
  if (amountIn >= held(lender)[0]) return undefined
  const [x, y] = held(pool)
  const pays = (out: bigint) => {
    const kept = (x + amountIn) * 1_000_000n - amountIn * feePpm
    return out > 0n && out < y && kept * (y - out) >= x * y * 1_000_000n
  }
  const paid = [amountOut + 1n, amountOut].find(pays)
  return { amountOut: paid ?? 0n }
}

/** Pairs of the first two tokens with these reserves. */
function minePairs(...reserves: readonly (readonly [bigint, bigint])[]) {
  node.mine(
    ...reserves.map((of, i) => createPair(pairAt(i), [wrappedNative, other], [of[0], of[1]])),
  )
}

async function examine() {
  const client = createClient(node.url)
  const findings = await examineVenues(client, [pairVenue], { wrappedNative, hubs: hyperEvm.hubs })
  return new Map(findings.map(({ check, found, holds }) => [check, { found, holds }]))
}

describe('a venue', () => {
  it('pays what is quoted if and only if its pairs take the fee that it names', async () => {
    const reserve = fc.bigInt({ min: 10n ** 9n, max: 10n ** 20n })
    const fee = fc.constantFrom(FEE_PPM, 0n, 2_500n, 2_999n, 3_001n, 10_000n)
    minePairs([E18, E18], [E18, E18])
    const judged = async (x: bigint, y: bigint, by: bigint) => {
      node.mine(trade(pairAt(0), [x, y]), trade(pairAt(1), [y, x]))
      feePpm = by
      const { found, holds } = (await examine()).get(PAYS)!
      expect(holds).toBe(by === FEE_PPM)
      const [, equal, swaps] = /^(\d+) of (\d+) swaps$/.exec(found)!.map(Number)
      // Both directions of two pairs: dust and parts of a reserve, as far as a lender has them.
      expect(swaps).toBeGreaterThanOrEqual(20)
      expect(equal === swaps).toBe(holds)
    }
    await fc.assert(fc.asyncProperty(reserve, reserve, fee, judged), { numRuns: 8 })
  })

  it('is undecided where nothing lends, or where pairs trade whenever they are asked', async () => {
    minePairs([E18, E18])
    expect((await examine()).get(PAYS)).toEqual({
      found: 'undecided: no other known pool lends what these pools take',
      holds: undefined,
    })
    minePairs([E18, E18], [E18, 2n * E18])
    let traded = 0n
    beforeProgram = () => {
      traded += 1n
      node.mine(...[0, 1].map((i) => trade(pairAt(i), [E18 + traded * 10n ** 15n, E18])))
    }
    expect((await examine()).get(PAYS)).toEqual({
      found: 'undecided: no pool stood still while it was asked',
      holds: undefined,
    })
  })

  it('is asked again about pairs that traded once, and only then judged', async () => {
    minePairs([E18, E18], [E18, 2n * E18])
    const tradeOnce = () => {
      beforeProgram = () => undefined
      node.mine(...[0, 1].map((i) => trade(pairAt(i), [2n * E18, E18])))
    }
    beforeProgram = tradeOnce
    expect((await examine()).get(PAYS)!.holds).toBe(true)
    beforeProgram = tradeOnce
    feePpm = 2_500n
    expect((await examine()).get(PAYS)!.holds).toBe(false)
  })

  it('is examined by the first pools that hold something, and not blamed for the empty ones', async () => {
    const empty = [0n, 0n] as const
    minePairs(empty, empty, empty, empty, [E18, E18], [E18, E18])
    const findings = await examine()
    expect(findings.get('pools read')).toEqual({
      found: '2 of 6, 33.33 % of what they hold; 4 POOL_EMPTY',
      holds: true,
    })
    expect(findings.get(PAYS)!.holds).toBe(true)
  })

  it('with a pool that cannot be read does not hold, and says why', async () => {
    minePairs([E18, E18], [E18, E18])
    node.mine(({ answers }) => {
      answers.set(answerKey(pairAt(0), GET_RESERVES), '0x')
      return []
    })
    const { found, holds } = (await examine()).get('pools read')!
    expect(found).toMatch(/^1 of 2, 50 % of what they hold; 1 ([A-Z_]+); \1: ./)
    expect(holds).toBe(false)
  })

  it('without pools has findings of its factory alone', async () => {
    const checks = [...(await examine()).keys()]
    expect(checks).toEqual([`factory ${FACTORY}`, 'factory answers as a', 'pools'])
  })
})

describe('the search for pools of a venue', () => {
  const find = async (venue = pairVenue) => {
    const { findings, refs } = await findVenuePools(createClient(node.url), venue, {
      known: [],
      hubs: hyperEvm.hubs,
    })
    const [code] = findings
    expect(code!.found).toBe(code!.holds ? '2 bytes of code' : 'no code')
    return { holds: findings.map(({ holds }) => holds), ids: refs.map(({ id }) => id) }
  }

  it('finds the pools of its factory, and at most fifty', async () => {
    minePairs([E18, E18], [E18, E18])
    expect(await find()).toEqual({ holds: [true, true, true], ids: [pairAt(0), pairAt(1)] })
    minePairs(...Array.from({ length: 51 }, () => [E18, E18] as const))
    expect((await find()).ids).toHaveLength(50)
  })

  it('leaves a venue without pools undecided', async () => {
    expect(await find()).toEqual({ holds: [true, true, undefined], ids: [] })
  })

  it('ends where there is no factory, and tells another contract from one', async () => {
    codeless = [FACTORY]
    expect(await find()).toEqual({ holds: [false], ids: [] })
    expect(await find({ ...pairVenue, factory: other })).toEqual({
      holds: [true, false, undefined],
      ids: [],
    })
  })
})

describe('a chain', () => {
  const check = async (ageS = 60) => {
    const nowMs = (1_000_000 + node.head().number + ageS) * 1000
    const findings = await examineChain(createClient(node.url), { chain: hyperEvm, nowMs })
    return findings.flatMap(({ check, holds }) => (holds ? [] : [check]))
  }
  const withHeader = (of: (number: number) => object) => {
    const { tamper } = node
    node.tamper = async (asked, honest) => {
      const answer = await tamper(asked, honest)
      if (asked.method !== 'eth_getBlockByNumber') return answer
      const block = answer as { readonly number: Hex }
      return { ...block, ...of(Number(block.number)) }
    }
  }
  const NONE_BIG = 'gas limit of a big block'
  beforeEach(() => {
    for (let i = 0; i < 70; i++) node.mine()
  })

  it('holds with its newest block at most a minute old', async () => {
    expect(await check()).toEqual([NONE_BIG])
    expect(await check(61)).toEqual(['age of the newest block', NONE_BIG])
  })

  it('has a small block of 3,000,000 gas, and a big one among sixty', async () => {
    withHeader((number) => (number === 10 ? { gasLimit: toHex(30_000_000n, 4) } : {}))
    expect(await check()).toEqual([])
    node.mine()
    expect(await check()).toEqual([NONE_BIG])
    withHeader(() => ({ gasLimit: toHex(2_999_999n, 4) }))
    expect(await check()).toEqual(['gas limit of a small block', NONE_BIG])
  })

  it('that is young is searched to its first block for a big one', async () => {
    node.undo(node.blocks.length - 8)
    withHeader((number) => (number === 0 ? { gasLimit: toHex(30_000_000n, 4) } : {}))
    expect(await check()).toEqual([])
  })

  it('is another chain by its number, and misses a contract without code', async () => {
    const { tamper } = node
    node.tamper = (asked, honest) =>
      asked.method === 'eth_chainId' ? '0x1' : tamper(asked, honest)
    const { address } = hyperEvm.wrapped
    codeless = [address]
    const failed = ['chain id', NONE_BIG, `wrapped native token ${address}`]
    expect(await check()).toEqual(failed)
  })

  it('has another token for the wrapped native one, which refuses a deposit', async () => {
    const { tamper } = node
    node.tamper = (asked, honest) => {
      const [call] = asked.params as readonly [{ readonly to?: string; readonly data?: string }]
      const isDeposit = call?.to === hyperEvm.wrapped.address && call.data === '0xd0e30db0'
      if (isDeposit) throw new Refusal(3, 'execution reverted')
      return tamper(asked, honest)
    }
    expect(await check()).toEqual([NONE_BIG, 'wrapped native token, deposit()'])
  })
})
