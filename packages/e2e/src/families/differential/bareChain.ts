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

/** A chain with plenty of tokens and no pools, on which tests create pools of any shape. */
export type BareChain = {
  readonly chain: Chain
  readonly random: Random
  /** In ascending order, so any two in order can be a pool's tokens. */
  readonly tokens: readonly Address[]
  /** The account that swaps; it has more of each token than any pool can take. */
  readonly trader: Address
}

/** A block gas limit large enough for all that a test sends at once. */
const GAS_LIMIT = 4_000_000_000n

/** More than any pool can take, but little enough that twice the amount does not overflow. */
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

/** Approves `spender` for every token of the trader and the deployer without limit. */
export async function approveAll({ chain, tokens, trader }: BareChain, spender: Address) {
  const owners = [trader, chain.deployer]
  await chain.execute(
    tokens.flatMap((token) => owners.map((owner) => approveCall(token, { owner, spender }))),
  )
}

/** All pairs of tokens, in the order of pools. */
export function pairsOf(tokens: readonly Address[]): readonly (readonly [Address, Address])[] {
  return tokens.flatMap((a, i) => tokens.slice(i + 1).map((b) => [a, b] as const))
}

/** Loads the pools of a venue; fails the test if a pool is set aside, except for being empty. */
export async function readPools(chain: Chain, venue: Venue): Promise<readonly Pool[]> {
  const {
    state: { snapshot, setAside },
  } = await loadSnapshot(createClient(chain.rpcUrl), {
    venues: [venue],
    wrappedNative: chain.wrappedNative,
  })
  const unread = setAside.filter(({ code }) => code !== 'POOL_EMPTY')
  if (unread.length > 0) throw new Error(`set aside: ${JSON.stringify(unread)}`)
  return snapshot.pools.filter((pool) => !pool.tokens.includes(NATIVE))
}
