import type { Venue } from '@braid-swap/chain'
import type { Address, Direction } from '@braid-swap/core'
import { applySwap, type Erc4626Pool, getAmountOut } from '@braid-swap/core/families'
import { approveCall, type Call } from '@braid-swap/devnet'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import { vaultAbi as abi, deployVault, vaultCall } from '../doubles/vaults.js'
import { anyAmount } from './amounts.js'
import { type BareChain, readPools } from './bareChain.js'
import { anyBits, anyInteger } from './integers.js'
import { simulate } from './simulate.js'
import { compare, count, type Swap, type Tally } from './tally.js'

/** Vaults of OpenZeppelin and solmate, each its own venue, and their states as loaded. */
export type Vaults = BareChain & {
  readonly venues: readonly Venue[]
  readonly pools: readonly Erc4626Pool[]
}

/** A quarter of the trader's balance. */
const MOST = 1n << 251n

/** Vaults of both forms for each token, of every offset, size and rate; some capped, one empty. */
export async function createVaults(bare: BareChain): Promise<Vaults> {
  const { chain, random, tokens, trader } = bare
  const venues: Venue[] = []
  const create = async (name: string, asset: Address, more: readonly unknown[]) => {
    const venue = await deployVault(chain, name, [asset, ...more])
    venues.push(venue)
    await chain.execute([approveCall(asset, { owner: trader, spender: venue.factory })])
    return venue.factory
  }
  const fill = async (vault: Address, asset: Address) => {
    const args = [anyBits(random, 30, 110), trader]
    const donation = [vault, anyBits(random, 1, 108)]
    await chain.execute([
      vaultCall(trader, vault, { abi, functionName: 'deposit', args }),
      vaultCall(trader, asset, { abi, functionName: 'transfer', args: donation }),
    ])
  }
  for (const asset of tokens) {
    await fill(await create('SolmateVault', asset, []), asset)
    for (const offset of [0, anyInteger(random, 1, 18)]) {
      await fill(await create('OpenZeppelinVault', asset, [offset]), asset)
    }
    await fill(await create('CappedVault', asset, [0, 1n << 112n]), asset)
  }
  await create('SolmateVault', tokens[0]!, [])
  await create('OpenZeppelinVault', tokens[0]!, [6])
  const pools = await Promise.all(venues.map(async (venue) => (await readPools(chain, venue))[0]))
  return { ...bare, venues, pools: pools as readonly Erc4626Pool[] }
}

/**
 * Donates, then deposits or redeems twice. Core must compute each output to the wei, refuse what the
 * vault refuses, and end with the totals that the vault reports.
 */
export async function checkVaultSwap(vaults: Vaults, tally: Tally): Promise<void> {
  const { chain, trader, random } = vaults
  const pool = random.pick(vaults.pools)
  const donation = random.next() < 0.5 ? 0n : anyBits(random, 1, 100)
  const swaps: Swap[] = []
  let state: Erc4626Pool = { ...pool, totalAssets: pool.totalAssets + donation }
  for (let turn = 0; turn < 2; turn++) {
    const direction: Direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
    const drawn = anyAmount(random, state, direction)
    const amountIn = drawn < MOST ? drawn : MOST
    swaps.push({ pool: state, direction, amountIn })
    state = applySwap(state, direction, amountIn) as Erc4626Pool
  }
  const encode = (functionName: 'totalAssets' | 'totalSupply') =>
    encodeFunctionData({ abi, functionName })
  const give = encodeFunctionData({ abi, functionName: 'transfer', args: [pool.id, donation] })
  // A vault may mint or pay zero without a revert; the executor refuses that, and so does core.
  const served = swaps.filter((s) => getAmountOut(s.pool, s.direction, s.amountIn) > 0n)
  const refused = swaps.filter((s) => !served.includes(s))
  const results = await simulate(chain.client, [
    { from: trader, to: pool.tokens[0], data: give },
    ...served.map((swap) => swapCall(trader, swap)),
    { from: trader, to: pool.id, data: encode('totalAssets') },
    { from: trader, to: pool.id, data: encode('totalSupply') },
  ])
  for (const [i, swap] of served.entries()) {
    const { succeeded, data } = results[i + 1]!
    const paid = succeeded
      ? decodeFunctionResult({ abi, functionName: 'deposit', data })
      : 'refused'
    const core = getAmountOut(swap.pool, swap.direction, swap.amountIn)
    compare(tally, swap, { what: 'amount out', core, chain: paid })
    count(tally, 'paid to the wei')
  }
  const totals = results.slice(-2).map(({ data }) => BigInt(data))
  const core = [state.totalAssets, state.totalSupply]
  compare(tally, swaps[1]!, { what: 'totals', core, chain: totals })
  for (const swap of refused) await checkRefusal({ chain, trader }, { pool, donation, swap }, tally)
}

/** If core refuses a swap in the first state, the vault must revert or pay nothing. */
async function checkRefusal(
  { chain, trader }: Pick<Vaults, 'chain' | 'trader'>,
  { pool, donation, swap }: { pool: Erc4626Pool; donation: bigint; swap: Swap },
  tally: Tally,
): Promise<void> {
  const state = swap.pool as Erc4626Pool
  const isFirst =
    state.totalAssets === pool.totalAssets + donation && state.totalSupply === pool.totalSupply
  if (!isFirst) return
  const give = encodeFunctionData({ abi, functionName: 'transfer', args: [pool.id, donation] })
  const [, asked] = await simulate(chain.client, [
    { from: trader, to: pool.tokens[0], data: give },
    swapCall(trader, swap),
  ])
  const paid = asked!.succeeded ? BigInt(asked!.data) : 0n
  compare(tally, swap, { what: 'amount out', core: 0n, chain: paid })
  count(tally, 'refused by both')
}

/** One random move in a vault: a deposit, a redemption, a donation, or a transfer of shares. */
export function anyVaultMove(
  { random, trader, chain }: Vaults,
  pool: Erc4626Pool,
): readonly Call[] {
  const kind = random.next()
  if (kind < 0.15) {
    const args = [pool.id, anyBits(random, 1, 100)]
    return [vaultCall(trader, pool.tokens[0], { abi, functionName: 'transfer', args })]
  }
  if (kind < 0.25) {
    const args = [chain.deployer, 1n]
    return [vaultCall(trader, pool.id, { abi, functionName: 'transfer', args })]
  }
  const direction: Direction = kind < 0.65 ? { in: 0, out: 1 } : { in: 1, out: 0 }
  const drawn = anyAmount(random, pool, direction)
  const amountIn = drawn < MOST ? drawn : MOST
  // The trader owns nearly all shares; the rest was transferred above.
  const isServed = getAmountOut(pool, direction, amountIn) > 0n
  if (!isServed || (direction.in === 1 && amountIn > pool.totalSupply - 1_000n)) return []
  const { to, data } = swapCall(trader, { pool, direction, amountIn })
  return [{ label: `swap in vault ${to}`, from: trader, to, data, gas: 400_000n }]
}

function swapCall(trader: Address, { pool, direction, amountIn }: Swap) {
  const data =
    direction.in === 0
      ? encodeFunctionData({ abi, functionName: 'deposit', args: [amountIn, trader] })
      : encodeFunctionData({ abi, functionName: 'redeem', args: [amountIn, trader, trader] })
  return { from: trader, to: pool.id, data }
}
