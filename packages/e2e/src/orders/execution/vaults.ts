import type { Venue } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { approveCall, type Devnet, mintCalls } from '@braid-swap/devnet'
import { createPairDoubles, type PairDoubles } from '../../families/doubles/pairs.js'
import { deployVault, vaultAbi, vaultCall } from '../../families/doubles/vaults.js'

/** A vault and a pair for its shares; depths in thousands of US dollars. */
type Planned = {
  readonly contract: 'OpenZeppelinVault' | 'SolmateVault'
  readonly args: readonly unknown[]
  readonly asset: string
  readonly other: string
  readonly vaultKUsd: number
  readonly pairKUsd: number
}

const PLANS: readonly Planned[] = [
  {
    ...{ contract: 'OpenZeppelinVault', args: [0], asset: 'WHYPE', other: 'PURR' },
    ...{ vaultKUsd: 3_000, pairKUsd: 2_500 },
  },
  {
    ...{ contract: 'SolmateVault', args: [], asset: 'USDC', other: 'USD₮0' },
    ...{ vaultKUsd: 3_000, pairKUsd: 1_200 },
  },
]

/** Donations to the vault: the gain of its shares over their initial price, in percent. */
const GAIN = 3n

/** Adds vaults to a devnet, and pairs for their shares at the vaults' own prices. */
export async function addVaults(devnet: Devnet, pairs: PairDoubles): Promise<readonly Venue[]> {
  const venues: Venue[] = []
  for (const plan of PLANS) venues.push(await addVault(devnet, plan, pairs))
  return venues
}

async function addVault(devnet: Devnet, plan: Planned, pairs: PairDoubles): Promise<Venue> {
  const { deployer, tokens } = devnet
  const find = (symbol: string) => tokens.find((token) => token.symbol === symbol)!
  const [asset, other] = [find(plan.asset), find(plan.other)]
  const weiOf = ({ decimals, usdPrice }: typeof asset, kUsd: number) =>
    (BigInt(Math.round((kUsd * 1e9) / usdPrice)) * 10n ** BigInt(decimals)) / 1_000_000n
  const venue = await deployVault(devnet, plan.contract, [asset.address, ...plan.args])
  const vault = venue.factory
  const amount = weiOf(asset, plan.vaultKUsd)
  const gain = (amount * GAIN) / 100n
  const deposit = { abi: vaultAbi, functionName: 'deposit', args: [amount, deployer] }
  await devnet.execute([
    ...mintCalls(deployer, { token: asset.address, to: deployer, amount }),
    approveCall(asset.address, { owner: deployer, spender: vault }),
    vaultCall(deployer, vault, deposit),
    ...mintCalls(deployer, { token: asset.address, to: vault, amount: gain }),
  ])
  const shares = (weiOf(asset, plan.pairKUsd / 2) * 100n) / (100n + GAIN)
  const amounts: Readonly<Record<Address, bigint>> = {
    [vault]: shares,
    [other.address]: weiOf(other, plan.pairKUsd / 2),
  }
  const [one, two] = [vault, other.address].sort()
  await createPairDoubles(devnet, pairs, [
    {
      tokens: [one!, two!],
      // A stable pair would price a share at one asset, but it is worth more.
      stable: false,
      amounts: [amounts[one!]!, amounts[two!]!],
      held: vault,
    },
  ])
  return venue
}
