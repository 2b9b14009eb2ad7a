/** A market of a few hand-made pools that moves as a chain moves it: the input of the feed's tests. */
import type { Address, Hex, Pool, Snapshot } from '@braid-swap/core'
import { advance, toHex } from '@braid-swap/core/advanced'
import type { PublishedMarket } from '../records.js'

const WRAPPED: Address = '0x5555555555555555555555555555555555555555'

/** The changes that a block may make to the market. */
export type Move =
  | { readonly kind: 'swap'; readonly pool: number; readonly amount: bigint }
  | { readonly kind: 'create' | 'remove' | 'flaw'; readonly pool: number }
  | { readonly kind: 'reorganise'; readonly depth: number }
  | { readonly kind: 'correct'; readonly pool: number }

const addressOf = (n: number): Address => toHex(0xa000 + n, 20)
const hashOf = (n: bigint): Hex => toHex(n, 32)

/** The n-th pool, with its own token; every third one depends on time. */
export function madePool(n: number, reserve = 10n ** 20n): Pool {
  const base = {
    id: toHex(0x1000 + n, 20),
    venue: 'test',
    tokens: [WRAPPED, addressOf(n)] as const,
  }
  if (n % 3 !== 0) {
    return { ...base, family: 'uniswapV2', reserves: [reserve, reserve + BigInt(n)], feePpm: 3_000 }
  }
  // The feed reads no other field of a pool that depends on time.
  return {
    ...base,
    family: 'uniswapV2',
    reserves: [reserve, reserve],
    feePpm: 100,
    quotedAt: 2n,
  } as Pool
}

/** A market of `count` pools at block 1. */
export function madeMarket(count: number): PublishedMarket {
  const pools = Array.from({ length: count }, (_, n) => madePool(n))
  return { snapshot: withTokens(snapshotAt(1n, pools)), flawed: [] }
}

function snapshotAt(number: bigint, pools: readonly Pool[]): Snapshot {
  const block = {
    number,
    hash: hashOf(number),
    timestamp: number,
    gasPrice: 1n,
    gasLimit: 2_000_000n,
  }
  return { chainId: 999, block, wrappedNative: WRAPPED, tokens: [], pools }
}

function withTokens(snapshot: Snapshot): Snapshot {
  const used = new Set([WRAPPED, ...snapshot.pools.flatMap(({ tokens }) => tokens)])
  const kept = snapshot.tokens.filter(({ address }) => used.has(address))
  for (const { address } of kept) used.delete(address)
  return {
    ...snapshot,
    tokens: [...kept, ...[...used].map((address) => ({ address, decimals: 18 }))],
  }
}

/** Moves a market from block to block; each block has a hash of its own. */
export function createMovingMarket(count: number) {
  let blocks = 1n
  let branch: PublishedMarket[] = [madeMarket(count)]
  const current = () => branch.at(-1)!
  const push = (market: PublishedMarket) => {
    branch = [...branch, market]
    return market
  }
  const nextBlock = () => {
    blocks += 1n
    const { number, timestamp, ...rest } = current().snapshot.block
    return { ...rest, number: number + 1n, timestamp: timestamp + 1n, hash: hashOf(blocks) }
  }
  const move = (of: Move): PublishedMarket => {
    if (of.kind === 'reorganise') {
      branch = branch.slice(0, Math.max(1, branch.length - of.depth))
      return push({
        ...current(),
        snapshot: advance(current().snapshot, { block: nextBlock(), pools: [] }),
      })
    }
    const { snapshot, flawed } = current()
    const { pools } = snapshot
    const at = pools[of.pool % Math.max(1, pools.length)]
    const block = of.kind === 'correct' ? snapshot.block : nextBlock()
    if (of.kind === 'remove' && at) {
      return push({
        snapshot: withTokens(advance(snapshot, { block, pools: [], removed: [at.id] })),
        flawed,
      })
    }
    if (of.kind === 'create') {
      return push({
        snapshot: withTokens(advance(snapshot, { block, pools: [madePool(of.pool + 100)] })),
        flawed,
      })
    }
    if (of.kind === 'flaw') {
      const message = 'token moves less than it says'
      const flaw = { address: addressOf(of.pool), code: 'TOKEN_TAKES_FEE', message } as const
      const isThere = flawed.some(({ address }) => address === flaw.address)
      const others = flawed.filter(({ address }) => address !== flaw.address)
      return push({
        snapshot: advance(snapshot, { block, pools: [] }),
        flawed: isThere ? others : [...others, flaw],
      })
    }
    const reserve = 10n ** 20n + (of.kind === 'swap' ? of.amount : 7n)
    const moved = at && {
      ...at,
      ...(at.family === 'uniswapV2' && { reserves: [reserve, 10n ** 20n] as const }),
    }
    return push({ snapshot: advance(snapshot, { block, pools: moved ? [moved] : [] }), flawed })
  }
  return { current, move }
}
