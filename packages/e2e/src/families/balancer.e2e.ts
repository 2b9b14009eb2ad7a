import type { Market } from '@braid-swap/chain'
import { type Call, createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFullRun } from '../draws.js'
import { type Buffers, createBufferMarket } from './differential/balancerBuffers.js'
import { type Balancers, createBalancerMarket } from './differential/balancers.js'
import { type BalancersV2, createBalancerV2Market } from './differential/balancersV2.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { examined } from './differential/examined.js'
import { type Following, itFollows, movedFamily } from './differential/itFollows.js'
import { itMatchesBytecode } from './differential/itMatchesBytecode.js'
import { checkVaultSwaps } from './differential/vaultPools.js'
import { balancerCall } from './doubles/balancer.js'
import { balancerV2Call } from './doubles/balancerV2.js'

// Both vaults of Balancer on one chain: V3 with its pools compiled from their packages, our doubles of
// E-CLPs, which have no package, and buffers; V2 from its package. BRAID_FUZZ_SEED: another seed.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_122)
const POOLS = isFullRun ? 42 : 9
const POOLS_V2 = isFullRun ? 40 : 6
const BUFFERS = isFullRun ? 15 : 4
const PAID = isFullRun ? 7_200 : 400
const PAID_V2 = isFullRun ? 4_400 : 240
const PAID_BY_BUFFERS = isFullRun ? 2_100 : 120
const BLOCKS = isFullRun ? 30 : 3
const MIN_CALLS = isFullRun ? 60 : 6
const refusedOf = (paid: number) => paid / 150

let bare: BareChain
let v3: Balancers
let buffers: Buffers
let v2: BalancersV2

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 6, [6, 8, 18])
  v3 = await createBalancerMarket(bare, POOLS)
  buffers = await createBufferMarket(bare, v3.balancer, BUFFERS)
  v2 = await createBalancerV2Market(bare, POOLS_V2)
}, 180_000)

afterAll(() => bare?.chain.stop())

const title = 'computes outputs three times in a row by any pairs of tokens, and the balances'
/** At least a third of the swaps that each of so many kinds would pay if they paid the same. */
const leastOf = (paid: number, kinds: readonly string[]) =>
  Object.fromEntries(kinds.map((kind) => [`paid by ${kind}`, paid / kinds.length / 3]))

describe('core against Balancer’s vault with weighted, stable and E-CLP pools', () => {
  itMatchesBytecode<Balancers>({
    ...{ pools: 'pools of Balancer V3', title, check: checkVaultSwaps, market: () => v3 },
    offByOne: (pool) => {
      const [first, ...rest] = pool.balancesRaw
      return { ...pool, balancesRaw: [first! + 1n, ...rest] }
    },
    ...{ paid: PAID, refused: refusedOf(PAID) },
    least: leastOf(PAID, ['weighted', 'stable', 'eclp']),
  })
})

describe('core against the vault’s buffers of ERC-4626 tokens', () => {
  itMatchesBytecode<Buffers>({
    ...{ pools: 'buffers', title, check: checkVaultSwaps, market: () => buffers },
    offByOne: (pool) => ({ ...pool, balances: [pool.balances[0] + 1n, pool.balances[1]] }),
    ...{ paid: PAID_BY_BUFFERS, refused: refusedOf(PAID_BY_BUFFERS) },
    least: leastOf(PAID_BY_BUFFERS, ['wrapping', 'unwrapping']),
  })
})

describe('core against the vault of Balancer V2 with weighted and stable pools', () => {
  itMatchesBytecode<BalancersV2>({
    ...{ pools: 'pools of Balancer V2', title, check: checkVaultSwaps, market: () => v2 },
    offByOne: (pool) => ({ ...pool, balances: pool.balances.with(0, pool.balances[0]! + 1n) }),
    ...{ paid: PAID_V2, refused: refusedOf(PAID_V2) },
    least: leastOf(PAID_V2, ['weighted', 'composableStable']),
  })
})

describe('the loaders of Balancer’s pools', () => {
  const common = { bare: () => bare, blocks: BLOCKS, movesPerBlock: 10, leastCalls: MIN_CALLS }
  const ramps = {
    seen: ({ snapshot: { pools } }: Market) => ({
      ramps: pools.filter((pool) => 'form' in pool && 'ramp' in pool.form).length,
    }),
    least: { ramps: 0 },
  }
  /** Follows a call that sets `count` pools aside as paused, and the call that ends it. */
  const pause = async ({ next }: Following, [on, off]: readonly [Call, Call], count: number) => {
    const { setAside } = await next([on])
    const codes = Array.from({ length: count }, () => 'POOL_PAUSED')
    expect(setAside.map(({ code }) => code)).toEqual(codes)
    expect((await next([off])).setAside).toEqual([])
  }

  itFollows({
    ...{ ...common, ...ramps },
    title: 'follow V3’s swaps, liquidity, fees, ramps, rates, donations and pauses',
    moved: () => [
      movedFamily('balancerV3', [v3.venue], v3.move),
      movedFamily('balancerBuffer', [v3.venue], buffers.move),
    ],
    afterwards: async (following) => {
      const call = (functionName: string) =>
        balancerCall(bare.chain.deployer, v3.vault, { functionName })
      await pause(following, [call('pauseVault'), call('unpauseVault')], POOLS)
      await pause(following, [call('pauseVaultBuffers'), call('unpauseVaultBuffers')], BUFFERS)
    },
  })

  itFollows({
    ...{ ...common, ...ramps },
    title: 'follow V2’s swaps, liquidity, fees, ramps, rates, pauses and recovery',
    moved: () => [movedFamily('balancerV2', [v2.venue], v2.move)],
    afterwards: async (following) => {
      const { vault, pools } = v2
      const { id } = pools[0]!
      const call = (to: typeof vault, functionName: string, args: readonly unknown[] = []) =>
        balancerV2Call(bare.chain.deployer, to, { functionName, args })
      const setPaused = (isPaused: boolean) => call(vault, 'setPaused', [isPaused])
      await pause(following, [setPaused(true), setPaused(false)], POOLS_V2)
      await pause(following, [call(id, 'pause'), call(id, 'unpause')], 1)
      await pause(following, [call(id, 'enableRecoveryMode'), call(id, 'disableRecoveryMode')], 1)
    },
  })

  it('are examined by doctor without a wrong finding', async () => {
    const findings = await examined(bare.chain, v3.venue)
    expect(findings.filter(({ holds }) => holds === false)).toEqual([])
    expect(findings.find(({ check }) => check === 'pools read')?.holds).toBe(true)
  })
})
