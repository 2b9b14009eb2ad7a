import type { BalancerBufferPool } from '@braid-swap/core/families'
import { approveCall, type Call } from '@braid-swap/devnet'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import { balancerAbi as abi, type BalancerVenue } from '../doubles/balancer.js'
import { type BufferSpec, createBuffers } from '../doubles/balancerBuffers.js'
import { vaultAbi, vaultCall } from '../doubles/vaults.js'
import { type BareChain, readPools } from './bareChain.js'
import { anyBits, anyInteger } from './integers.js'
import { anySwapMove, type VaultPools } from './vaultPools.js'

/** Buffers in Balancer's own vault of OpenZeppelin's and solmate's tokens, and their states as loaded. */
export type Buffers = VaultPools<BalancerBufferPool>

/** Buffers of every size and rate, each with its own wrapped token. */
export async function createBufferMarket(
  bare: BareChain,
  { venue, vault, trader: contract }: BalancerVenue,
  count: number,
): Promise<Buffers> {
  const { chain, random, tokens, trader } = bare
  const specs = Array.from({ length: count }, (_, i): BufferSpec => {
    const isSolmate = i % 3 === 2
    const asset = tokens[i % tokens.length]!
    const amounts = { deposited: anyBits(random, 40, 100), donated: anyBits(random, 1, 98) }
    const args = isSolmate ? [] : [anyInteger(random, 0, 6)]
    const own = { name: isSolmate ? 'SolmateVault' : 'OpenZeppelinVault', args } as const
    const percent = BigInt(anyInteger(random, 1, 90))
    return { asset, ...amounts, ...own, assets: anyBits(random, 20, 100), percent }
  })
  const created = await createBuffers(chain, { venue, vault, trader: contract }, specs)
  // The trader gets shares by a deposit, and approves our contract for them too.
  await chain.execute(
    created.flatMap((wrapped, i) => [
      approveCall(specs[i]!.asset, { owner: trader, spender: wrapped }),
      approveCall(wrapped, { owner: trader, spender: contract }),
      vaultCall(trader, wrapped, {
        ...{ abi: vaultAbi, functionName: 'deposit', args: [anyBits(random, 100, 105), trader] },
      }),
    ]),
  )
  const swapCall: Buffers['swapCall'] = ({ tokens: [, wrapped] }, { direction, amountIn }) => {
    const args = [wrapped, direction.in === 0, amountIn] as const
    const data = encodeFunctionData({ abi, functionName: 'convert', args })
    return { from: trader, to: contract, data }
  }
  const balancesOf: Buffers['balancesOf'] = ({ balances }) => balances
  return {
    ...{ ...bare, venue, vault, swapCall, balancesOf },
    pools: (await readPools(chain, venue)).filter(
      (pool): pool is BalancerBufferPool => pool.family === 'balancerBuffer',
    ),
    balancesData: ({ tokens: [, wrapped] }) =>
      encodeFunctionData({ abi, functionName: 'getBufferBalance', args: [wrapped] }),
    readBalances: (_, data) =>
      decodeFunctionResult({ abi, functionName: 'getBufferBalance', data }),
    kindOf: ({ direction }) => (direction.in === 0 ? 'wrapping' : 'unwrapping'),
    // By the wrapped token, which the vault calls if the buffer has too little.
    isPaidElsewhere: ({ pool, direction }, paid) => paid > pool.balances[direction.out]!,
    move: (pool) => {
      const isDonation = random.next() < 0.2
      return isDonation
        ? donationTo(bare, pool)
        : anySwapMove({ random, balancesOf, swapCall }, pool)
    },
  }
}

/** Assets that the wrapped token gets without new shares, which change its rate. */
function donationTo(
  { random, trader }: BareChain,
  { tokens: [asset, wrapped] }: BalancerBufferPool,
): readonly Call[] {
  const args = [wrapped, anyBits(random, 1, 60)]
  return [vaultCall(trader, asset, { abi: vaultAbi, functionName: 'transfer', args })]
}
