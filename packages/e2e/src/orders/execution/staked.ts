import type { Venue } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { approveCall, type Devnet, mintCalls } from '@braid-swap/devnet'
import { createPairDoubles, type PairDoubles } from '../../families/doubles/pairs.js'
import {
  createStexDoubles,
  deployStexFactory,
  type StexSpec,
} from '../../families/doubles/stexes.js'
import { deployUnstaking, managerCall } from '../../families/doubles/unstaking.js'
import { deployVault, vaultAbi, vaultCall } from '../../families/doubles/vaults.js'
import { tokensOf, weiOf } from './priced.js'

const E18 = 10n ** 18n

/** Adds vaults, exchanges of staked tokens and a manager that unstakes to a devnet, at the market's prices. */
export async function addStaked(devnet: Devnet, pairs: PairDoubles): Promise<readonly Venue[]> {
  const vaults: Venue[] = []
  for (const plan of VAULTS) vaults.push(await addVault(devnet, plan, pairs))
  const specs = EXCHANGES.map((plan) => exchangeSpec(devnet, plan))
  const doubles = await createStexDoubles(devnet, await deployStexFactory(devnet), specs)
  return [...vaults, ...doubles.map(({ venue }) => venue), await addUnstaking(devnet)]
}

/** Exchanges of a staked token for WHYPE: their depth in thousands of US dollars, and their fee. */
const EXCHANGES: readonly (readonly [symbols: string, depthKUsd: number, fee: StexSpec['fee']])[] =
  [
    [
      ...(['kHYPE/WHYPE', 2_400] as const),
      {
        ...{ kind: 'steps', stepsBips: [3, 8, 20, 60, 200] },
        ...{ minThresholdToken1: 2_000n * E18, maxThresholdToken1: 32_000n * E18 },
      },
    ],
    [
      ...(['wstHYPE/WHYPE', 1_000] as const),
      {
        ...{ kind: 'ratio', minThresholdRatioBips: 8_000, maxThresholdRatioBips: 40_000 },
        ...{ feeMinBips: 2, feeMaxBips: 40 },
      },
    ],
  ]

/** The lent part of token 1 and the queued part of token 0, in percent of the pool's balances. */
const LENT = 20n
const WAITING = 10n

function exchangeSpec(
  devnet: Devnet,
  [symbols, depthKUsd, fee]: (typeof EXCHANGES)[number],
): StexSpec {
  const [token0, token1] = tokensOf(devnet, symbols)
  const reserves = [weiOf(token0, depthKUsd / 2), weiOf(token1, depthKUsd / 2)] as const
  return {
    ...{ tokens: [token0.address, token1.address], reserves, fee, poolManagerFeeBips: 2_000 },
    rate: BigInt(Math.round((token0.usdPrice / token1.usdPrice) * 1e9)) * 10n ** 9n,
    amountToken0PendingUnstaking: (reserves[0] * WAITING) / 100n,
    amountToken1PendingLPWithdrawal: (reserves[1] * WAITING) / 200n,
    amountToken1LendingPool: (reserves[1] * LENT) / 100n,
  }
}

/** A staked token trades below its rate while there is a queue; here by so many millionths. */
const DISCOUNT_PPM = 3_000

/** Gas that an unstaking of kHYPE uses on chain in addition to that of our double. */
const UNSTAKING_WORK = 320_000n

/** kHYPE's manager, with as much as $2.5M to pay. */
async function addUnstaking(devnet: Devnet): Promise<Venue> {
  const [kHype, hype] = tokensOf(devnet, 'kHYPE/WHYPE')
  const supply = 10n ** 25n
  const price = BigInt(Math.round((kHype.usdPrice / hype.usdPrice) * (1e9 + 1e3 * DISCOUNT_PPM)))
  const double = await deployUnstaking(devnet, kHype.address, {
    ...{ totals: [(supply * price) / 10n ** 9n, supply], feeRateBps: 10, minAmountIn: E18 / 10n },
    buffer: weiOf(hype, 2_500),
  })
  await devnet.execute([managerCall(devnet.deployer, double, 'setWork', [UNSTAKING_WORK])])
  return double.venue
}

/** Vaults of an asset, and a pair of their shares with another token; the depth of the pair. */
const VAULTS = [
  ['OpenZeppelinVault', [0], 'WHYPE/PURR', 2_500],
  ['SolmateVault', [], 'USDC/USD₮0', 1_200],
] as const
const VAULT_K_USD = 3_000
/** Donations to the vault: the gain of its shares over their initial price, in percent. */
const GAIN = 3n

/** Adds a vault, and a pair for its shares at the vault's own price. */
async function addVault(
  devnet: Devnet,
  [contract, args, symbols, pairKUsd]: (typeof VAULTS)[number],
  pairs: PairDoubles,
): Promise<Venue> {
  const { deployer } = devnet
  const [asset, other] = tokensOf(devnet, symbols)
  const venue = await deployVault(devnet, contract, [asset.address, ...args])
  const vault = venue.factory
  const amount = weiOf(asset, VAULT_K_USD)
  const deposit = { abi: vaultAbi, functionName: 'deposit', args: [amount, deployer] }
  await devnet.execute([
    ...mintCalls(deployer, { token: asset.address, to: deployer, amount }),
    approveCall(asset.address, { owner: deployer, spender: vault }),
    vaultCall(deployer, vault, deposit),
    ...mintCalls(deployer, { token: asset.address, to: vault, amount: (amount * GAIN) / 100n }),
  ])
  const amounts: Readonly<Record<Address, bigint>> = {
    [vault]: (weiOf(asset, pairKUsd / 2) * 100n) / (100n + GAIN),
    [other.address]: weiOf(other, pairKUsd / 2),
  }
  const [one, two] = [vault, other.address].sort() as [Address, Address]
  // A stable pair would price a share at one asset, but it is worth more.
  const spec = { tokens: [one, two], stable: false, held: vault } as const
  await createPairDoubles(devnet, pairs, [{ ...spec, amounts: [amounts[one]!, amounts[two]!] }])
  return venue
}
