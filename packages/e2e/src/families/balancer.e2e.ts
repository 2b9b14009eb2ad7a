import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe } from 'vitest'
import { isFullRun } from '../draws.js'
import { type Buffers, createBufferMarket } from './differential/balancerBuffers.js'
import { type Balancers, createBalancerMarket } from './differential/balancers.js'
import { type BalancersV2, createBalancerV2Market } from './differential/balancersV2.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { itMatchesBytecode } from './differential/itMatchesBytecode.js'
import { checkVaultSwaps } from './differential/vaultPools.js'

// Both vaults of Balancer on one chain: V3 with its pools compiled from their packages, our doubles of
// E-CLPs, which have no package, and buffers; V2 from its package. BRAID_FUZZ_SEED: another seed.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_122)
const POOLS = isFullRun ? 42 : 9
const POOLS_V2 = isFullRun ? 40 : 6
const BUFFERS = isFullRun ? 15 : 4
const PAID = isFullRun ? 7_200 : 400
const PAID_V2 = isFullRun ? 4_400 : 240
const PAID_BY_BUFFERS = isFullRun ? 2_100 : 120
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
