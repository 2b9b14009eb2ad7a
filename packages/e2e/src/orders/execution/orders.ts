import { type Address, NATIVE, type Pool } from '@braid-swap/core'
import { wrappedOf } from '@braid-swap/core/advanced'
import type { Devnet, PricedToken, Random } from '@braid-swap/devnet'
import { erc20Abi } from 'viem'
import { anyBits, anyInteger } from '../../families/differential/integers.js'

/** A random order, and the details of its execution. */
export type PlannedOrder = {
  readonly kind: 'token to token' | 'native in' | 'native out' | 'wrap' | 'unwrap'
  readonly src: Address
  readonly dst: Address
  readonly amount: bigint
  /** Its value at the market's initial prices. */
  readonly usd: number
  /** In percent, as sent. */
  readonly slippage: string
  /** Which pool another account moves before the order in its block. */
  readonly race: 'nobody' | 'another pool' | 'a pool of the route'
  /** True if the wallet uses only `encodedTx`. */
  readonly fromEncodedTx: boolean
  /** True if an approval is for exactly the amount. */
  readonly approvesExactly: boolean
  /** Another address than the sender's gets the output. */
  readonly hasReceiver: boolean
  /** Basis points of the output that an integrator gets; 0 is no fee. */
  readonly feeBps: number
  /** A signature for Permit2 authorizes the payment, not an approval of the router. */
  readonly isSigned: boolean
}

/** Replaces random draws of an order. */
export type OrderWish = Partial<Pick<PlannedOrder, 'slippage' | 'race'>> & {
  /** The order is from one token of such a pair to the other; any order if there are none. */
  readonly pairs?: readonly TokenPair[]
}

export type TokenPair = readonly [src: Address, dst: Address]

/** Draws random orders over the tokens of a market. */
export type Orders = (wish?: OrderWish) => PlannedOrder

/** Reads the depth of each token's pools and returns a source of random orders. */
export async function createOrders(devnet: Devnet, random: Random): Promise<Orders> {
  const depths = await readDepths(devnet)
  return ({ pairs = [], ...wished } = {}) => {
    const kind = pairs.length > 0 ? 'token to token' : drawKind(random)
    const [src, dst] = pairs.length > 0 ? random.pick(pairs) : drawEnds(devnet, random, kind)
    const wrapped = (token: Address) => wrappedOf(token, devnet.wrappedNative)
    const tokenIn = devnet.tokens.find(({ address }) => address === wrapped(src))!
    const depth = Math.min(depths.get(wrapped(src))!, depths.get(wrapped(dst))!)
    const amount = drawAmount(random, tokenIn, depth)
    return {
      ...{ kind, src, dst, amount },
      usd: (Number(amount) / 10 ** tokenIn.decimals) * tokenIn.usdPrice,
      slippage: random.pick(['0', '0.1', '0.5', '1', '3', '50']),
      race: drawRace(random),
      fromEncodedTx: random.next() < 0.3,
      approvesExactly: random.next() < 0.6,
      hasReceiver: random.next() < 0.2,
      feeBps: random.next() < 0.4 ? anyInteger(random, 1, 100) : 0,
      isSigned: src !== NATIVE && random.next() < 0.3,
      ...wished,
    }
  }
}

/**
 * Pairs of a market's tokens with a pool of the family between them. In place of a token that the
 * market has no price for, as a vault's share, stand those that other pools trade it for.
 */
export function pairsThrough(
  { tokens }: Devnet,
  pools: readonly Pool[],
  family: string,
): readonly TokenPair[] {
  const priced = new Set(tokens.map(({ address }) => address))
  const endsOf = (token: Address, through: Pool) => {
    if (priced.has(token)) return [token]
    const others = pools.filter((pool) => pool !== through && pool.tokens.includes(token))
    return others.flatMap((pool) => pool.tokens).filter((other) => priced.has(other))
  }
  return pools
    .filter((pool) => pool.family === family)
    .flatMap((pool) => {
      const ends = pool.tokens.map((token) => endsOf(token, pool))
      return ends.flatMap((from, i) =>
        ends
          .slice(i + 1)
          .flatMap((to) => from.flatMap((one) => to.map((two): TokenPair => [one, two]))),
      )
    })
    .filter(([one, two]) => one !== two)
    .flatMap(([one, two]): TokenPair[] => [
      [one, two],
      [two, one],
    ])
}

/** The number of pools on the shortest path between two tokens; the native token counts as wrapped. */
export function distanceOf({ pools, wrappedNative }: Devnet, from: Address, to: Address): number {
  const wrapped = (token: Address) => wrappedOf(token, wrappedNative)
  const distances = new Map<Address, number>([[wrapped(from), 0]])
  for (const [token, distance] of distances) {
    for (const { tokens } of pools) {
      const next = tokens[tokens[0] === token ? 1 : 0]
      if (tokens.includes(token) && !distances.has(next)) distances.set(next, distance + 1)
    }
  }
  return distances.get(wrapped(to)) ?? Number.POSITIVE_INFINITY
}

/** US dollars in the pools of each token, at the market's initial prices. */
async function readDepths({ client, pools, tokens }: Devnet): Promise<Map<Address, number>> {
  const depths = new Map<Address, number>()
  const holdings = pools.flatMap((pool) =>
    pool.tokens.map((address) => ({
      token: tokens.find((token) => token.address === address)!,
      holder: pool.address,
    })),
  )
  const amounts = await Promise.all(
    holdings.map(({ token, holder }) =>
      client.readContract({
        address: token.address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [holder],
      }),
    ),
  )
  for (const [i, { token }] of holdings.entries()) {
    const usd = (Number(amounts[i]!) / 10 ** token.decimals) * token.usdPrice
    depths.set(token.address, (depths.get(token.address) ?? 0) + usd)
  }
  return depths
}

function drawKind(random: Random): PlannedOrder['kind'] {
  const at = random.next()
  if (at < 0.04) return 'wrap'
  if (at < 0.08) return 'unwrap'
  if (at < 0.3) return 'native in'
  return at < 0.52 ? 'native out' : 'token to token'
}

function drawEnds(
  { tokens, wrappedNative }: Devnet,
  random: Random,
  kind: PlannedOrder['kind'],
): readonly [Address, Address] {
  const [a, b] = drawTwo(random, tokens)
  const other = a.address === wrappedNative ? b : a
  if (kind === 'wrap') return [NATIVE, wrappedNative]
  if (kind === 'unwrap') return [wrappedNative, NATIVE]
  if (kind === 'native in') return [NATIVE, other.address]
  return kind === 'native out' ? [other.address, NATIVE] : [a.address, b.address]
}

function drawTwo(random: Random, tokens: readonly PricedToken[]) {
  const first = anyInteger(random, 0, tokens.length - 1)
  const step = anyInteger(random, 1, tokens.length - 1)
  return [tokens[first]!, tokens[(first + step) % tokens.length]!] as const
}

/** One wei, dust, or any part of the pools' depth up to half of their balance of the token. */
function drawAmount(random: Random, token: PricedToken, depthUsd: number): bigint {
  const at = random.next()
  if (at < 0.04) return 1n
  if (at < 0.1) return anyBits(random, 1, 24)
  const usd = (depthUsd / 2) * 10 ** -(random.next() * 4.5)
  const wei = BigInt(Math.ceil((usd / token.usdPrice) * 10 ** token.decimals))
  // The last digits are drawn separately, because floats leave zeros there.
  return wei + anyBits(random, 0, Math.max(0, wei.toString(2).length - 8))
}

function drawRace(random: Random): PlannedOrder['race'] {
  const at = random.next()
  if (at < 0.12) return 'a pool of the route'
  return at < 0.25 ? 'another pool' : 'nobody'
}
