import { createClient, loadSnapshot, type Venue } from '@braid-swap/chain'
import { type Address, NATIVE, type Pool } from '@braid-swap/core'
import {
  approveCall,
  type Chain,
  createTokens,
  mintCalls,
  type Random,
  startChain,
} from '@braid-swap/devnet'

/** A chain of tokens in plenty, on which pools of any shape can be made. */
export type BareChain = {
  readonly chain: Chain
  readonly random: Random
  /** Ascending, so that any two in order are a pool's tokens. */
  readonly tokens: readonly Address[]
  /** Who swaps: has more of each token than any pool can take. */
  readonly trader: Address
}

/** Blocks large enough for whatever a test sends at once. */
const GAS_LIMIT = 4_000_000_000n

/** More than any pool can take, and little enough that two of it do not overflow. */
const PLENTY = 1n << 253n

/** Starts a chain without pools and gives the trader 2²⁵³ wei of each of `count` tokens. */
export async function startBareChain(
  random: Random,
  count: number,
  decimals: readonly number[] = [0, 6, 8, 18, 27],
): Promise<BareChain> {
  const chain = await startChain()
  await chain.client.setBlockGasLimit({ gasLimit: GAS_LIMIT })
  await chain.mine()
  const created = await createTokens(
    chain,
    Array.from({ length: count }, (_, i) => ({
      symbol: `T${i}`,
      name: `Token ${i}`,
      decimals: random.pick(decimals),
    })),
  )
  const tokens = created.map((token) => token.address).sort()
  const trader = chain.accounts[1]!.address
  const { deployer } = chain
  await chain.execute(
    tokens.flatMap((token) => [
      ...mintCalls(deployer, { token, to: trader, amount: PLENTY }),
      ...mintCalls(deployer, { token, to: deployer, amount: PLENTY }),
    ]),
  )
  return { chain, random, tokens, trader }
}

/** Lets `spender` take any amount of every token from the trader and from the deployer. */
export async function approveAll({ chain, tokens, trader }: BareChain, spender: Address) {
  const owners = [trader, chain.deployer]
  await chain.execute(
    tokens.flatMap((token) => owners.map((owner) => approveCall(token, { owner, spender }))),
  )
}

/** Every pair of tokens, in the order that pools keep them. */
export function pairsOf(tokens: readonly Address[]): readonly (readonly [Address, Address])[] {
  return tokens.flatMap((a, i) => tokens.slice(i + 1).map((b) => [a, b] as const))
}

/** The pools of a venue as the loader reads them; what it sets aside, but for holding nothing, fails the test. */
export async function readPools(chain: Chain, venue: Venue): Promise<readonly Pool[]> {
  const { snapshot, setAside } = await loadSnapshot(createClient(chain.rpcUrl), {
    venues: [venue],
    wrappedNative: chain.wrappedNative,
  })
  const unread = setAside.filter(({ code }) => code !== 'POOL_EMPTY')
  if (unread.length > 0) throw new Error(`set aside: ${JSON.stringify(unread)}`)
  return snapshot.pools.filter((pool) => !pool.tokens.includes(NATIVE))
}
