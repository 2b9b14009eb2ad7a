// Damages snapshot files, and judges what the door makes of them. Used by a short test and a long fuzz.

import fc from 'fast-check'
import { buildGraph } from '../graph.js'
import { cryptoInvariantOf } from '../math/cryptoSwap.js'
import { formOf, scaledBalances } from '../pools/curveCrypto/exact.js'
import type { Direction } from '../pools/family.js'
import { applySwap, getAmountOut, type Pool } from '../pools/index.js'
import { quote } from '../quote.js'
import type { Snapshot } from '../snapshot.js'
import { BadSnapshotError, parseSnapshot, stringifySnapshot } from '../snapshotFile.js'
import { TOKEN_A, TOKEN_B } from './arbitrary.js'
import { anyMarketOfEveryFamily } from './everyFamily.js'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Path = readonly (string | number)[]

/** A damaged file, and its undamaged twin. */
export type Damaged = { readonly text: string; readonly twin: Twin; readonly damage: string }

/** An undamaged file, and its market. */
export type Twin = { readonly text: string; readonly snapshot: Snapshot }

/** Undamaged files of a few pools each: four together have a pool of every form of every family. */
export function twinsOf(count: number, seed: number): readonly Twin[] {
  const markets = Math.ceil(count / 4)
  return fc.sample(anyMarketOfEveryFamily, { numRuns: markets, seed }).flatMap((whole) =>
    [0, 1, 2, 3].map((part) => {
      const pools = whole.pools.filter((_, i) => i % 4 === part)
      const snapshot = { ...whole, pools }
      return { text: stringifySnapshot(snapshot), snapshot }
    }),
  )
}

/** Quotes both ways: a market that passed the door may refuse an order, by a code for that. */
function checkQuotes(snapshot: Snapshot, amountIn: bigint): void {
  const graph = buildGraph(snapshot)
  for (const [tokenIn, tokenOut] of [
    [TOKEN_A, TOKEN_B],
    [TOKEN_B, TOKEN_A],
  ] as const) {
    try {
      quote(graph, { tokenIn, tokenOut, amountIn }, { certificate: 'fast' })
    } catch (error) {
      if (!REFUSALS.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}

const REFUSALS = new Set([
  'NO_ROUTE',
  'ROUTE_UNTRUSTED',
  'AMOUNT_TOO_SMALL',
  'INSUFFICIENT_LIQUIDITY',
  'BAD_OPTIONS',
])

/** Values that a broken writer, a broken disk or an attacker might leave. */
const VALUES: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    '',
    'x',
    '0x',
    '0x11',
    'toString',
    '__proto__',
  ],
  ...[
    '0',
    '1',
    '-1',
    '1.5',
    `${1n << 128n}`,
    `${1n << 200n}`,
    `${1n << 256n}`,
    `1${'0'.repeat(5_000)}`,
  ],
  ...[`-${1n << 200n}`, `0x${'AB'.repeat(20)}`, `0x${'ab'.repeat(32)}`, [], {}, [[]], ['1', '1']],
]

/** A damaged twin: one change of its JSON, or of its bytes. */
export const anyDamage = fc.record({
  kind: fc.constantFrom(
    ...(['delete', 'rename', 'value', 'value', 'digit', 'sign', 'scale', 'near'] as const),
    ...(['twice', 'swap', 'insert', 'cut', 'byte'] as const),
  ),
  at: fc.nat(),
  which: fc.nat(),
})

type Drawn = typeof anyDamage extends fc.Arbitrary<infer T> ? T : never

/** Applies a damage to a twin. */
export function damage(twin: Twin, { kind, at, which }: Drawn): Damaged {
  const { text } = twin
  if (kind === 'cut') return { twin, text: text.slice(0, at % text.length), damage: kind }
  if (kind === 'byte') {
    const place = at % text.length
    const byte = String.fromCharCode(32 + (which % 95))
    return { twin, text: text.slice(0, place) + byte + text.slice(place + 1), damage: kind }
  }
  const file = JSON.parse(text) as Json
  const parts = partsOf(pathsIn(file))
  const paths = parts[at % parts.length]!
  const path = paths[Math.floor(at / parts.length) % paths.length]!
  change(file, path, { kind, which })
  return { twin, text: JSON.stringify(file), damage: `${kind} ${path.join('.')} (${which})` }
}

/** The pool of the twin that the damage is inside of; undefined if it is elsewhere in the file. */
export function damagedPool({ twin, damage }: Pick<Damaged, 'twin' | 'damage'>): Pool | undefined {
  const place = POOL_PLACE.exec(damage)
  return place ? twin.snapshot.pools[Number(place[1])] : undefined
}

/** Marks a damage inside a pool. */
const POOL_PLACE = / pools\.(\d+)\./

/** The paths inside each pool, and all others: a pool with many fields is damaged as often as one with few. */
function partsOf(paths: readonly Path[]): readonly (readonly Path[])[] {
  const parts = new Map<string, Path[]>()
  for (const path of paths) {
    const part = path[0] === 'pools' && path.length > 2 ? `${path[1]}` : ''
    const others = parts.get(part)
    if (others) others.push(path)
    else parts.set(part, [path])
  }
  return [...parts.values()]
}

/** The paths of all parts of a file: of lists and records, and of what is in them. */
function pathsIn(value: Json, path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [path]
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  const own = path.length === 0 ? [] : [path]
  return [...own, ...entries.flatMap(([name, part]) => pathsIn(part, [...path, name]))]
}

function change(file: Json, path: Path, how: Pick<Drawn, 'kind' | 'which'>): void {
  const name = path.at(-1)!
  const holder = path
    .slice(0, -1)
    .reduce((part, key) => (part as never)[key] as Json, file) as never
  const value = holder[name] as Json
  const list = Array.isArray(holder) ? (holder as Json[]) : undefined
  const put = (next: Json) => {
    Object.defineProperty(holder, name, { value: next, enumerable: true, configurable: true })
  }
  switch (how.kind) {
    case 'delete':
      if (list) list.splice(Number(name), 1)
      else delete holder[name]
      return
    case 'rename':
      if (list) return void list.reverse()
      delete holder[name]
      Object.assign(holder, { [`${name}s`]: value })
      return
    case 'twice':
      if (list) list.splice(how.which % (list.length + 1), 0, value)
      else Object.assign(holder, { [`${name}2`]: value })
      return
    case 'swap':
      if (list) {
        const other = how.which % list.length
        ;[list[Number(name)], list[other]] = [list[other]!, value]
      } else put([value])
      return
    case 'insert':
      if (list) list.splice(Number(name), 0, VALUES[how.which % VALUES.length]!)
      else Object.assign(holder, { [`x${how.which % 9}`]: value })
      return
    default:
      put(otherValue(value, how))
  }
}

function otherValue(value: Json, { kind, which }: Pick<Drawn, 'kind' | 'which'>): Json {
  if (kind === 'value' || (typeof value !== 'number' && typeof value !== 'string')) {
    return VALUES[which % VALUES.length]!
  }
  const isInteger = /^-?\d+$/.test(`${value}`)
  if (!isInteger) return mutateText(`${value}`, which)
  const whole = BigInt(value)
  const of = (next: bigint): Json => (typeof value === 'number' ? Number(next) : `${next}`)
  if (kind === 'sign') return of(-whole)
  if (kind === 'scale') return of(which % 2 ? whole * 10n ** BigInt(which % 30) : whole / 10n)
  if (kind === 'near') return of(whole + BigInt((which % 7) - 3))
  const digits = `${whole}`
  const place = which % digits.length
  return of(
    BigInt(`${digits.slice(0, place)}${which % 10}${digits.slice(place + 1)}`.replace(/^-?$/, '0')),
  )
}

function mutateText(value: string, which: number): string {
  const place = which % Math.max(1, value.length)
  return `${value.slice(0, place)}${(which % 16).toString(16)}${value.slice(place + 1)}`
}

/** The outcome of reading a damaged file. */
export type Verdict = 'refused' | 'same' | 'less' | 'another market'

/**
 * Judges a damaged file; throws if the door let through what it must refuse. A file that passes is
 * - the same market, if its pools are those of the twin;
 * - less, if no pool pays more than the same pool of the twin, in any direction, for any of many amounts;
 * - another legal market, if one pays more and every difference is a value that such a field can have:
 *   a number for a number, another choice, or a part that pools of the family may lack. A loss of
 *   structure is never another market.
 * In all of them, no pool pays less than nothing or gives a profit for a round trip, and quotes end.
 */
export function judge({ text, twin, damage }: Damaged): Verdict {
  let snapshot: Snapshot
  try {
    snapshot = parseSnapshot(text)
  } catch (error) {
    if (!(error instanceof BadSnapshotError))
      throw new Error(`${damage}: ${error}`, { cause: error })
    checkNames(error, { text, twin, damage })
    return 'refused'
  }
  const before = new Map(twin.snapshot.pools.map((pool) => [pool.id, pool]))
  const changed = snapshot.pools.filter((pool) => {
    const other = before.get(pool.id)
    return !other || stringify(other) !== stringify(pool)
  })
  checkQuotes(snapshot, AMOUNTS[text.length % AMOUNTS.length]!)
  let isMore = false
  for (const pool of changed) {
    const other = before.get(pool.id)
    checkSolvent(pool, other, damage)
    isMore ||= !other || paysMore(pool, other)
  }
  if (changed.length === 0) return 'same'
  if (!isMore) return 'less'
  const differences = differencesOf(JSON.parse(twin.text) as Json, JSON.parse(text) as Json)
  const broken = differences.find(({ path, isValue }) => !isValue && !MAY_LACK.test(path))
  if (broken) throw new Error(`${damage}: pays more by ${broken.path}, which is no other value`)
  return 'another market'
}

function paysMore(pool: Pool, twin: Pool): boolean {
  return BOTH_WAYS.some((direction) =>
    AMOUNTS.some(
      (amount) => getAmountOut(pool, direction, amount) > getAmountOut(twin, direction, amount),
    ),
  )
}

/**
 * Parts that a pool may lack: a vault's cap, least balances of newer weighted pools, entries of an
 * oracle, samples of a ladder, steps of a fee, a bin, gas of a fork, the provider of a token's rate. The pool
 * without them is another pool.
 */
const MAY_LACK =
  /\.(assetCap|minTokenBalances|extraGas|renewal)$|\.(observations|timepoints|stepsBips|bins|ladders\.\d)(\.|$)/

function stringify(pool: Pool): string {
  return JSON.stringify(pool, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** The refusal says what is wrong, and where: the damaged pool, if the damage is inside one. */
function checkNames(error: BadSnapshotError, { text, twin, damage }: Damaged): void {
  const { pool, field } = error.details
  const place = / pools\.(\d+)\../.exec(damage)
  if (place && damage.split(' ')[1] && error.message !== 'the text is not JSON') {
    const ids = [twin.text, text].map(
      (one) => (JSON.parse(one) as { pools: { id?: Json }[] }).pools[Number(place[1])]?.id,
    )
    const isNamed = ids.includes(pool as string) || pool === `pools[${place[1]}]`
    if (!isNamed || typeof field !== 'string') {
      throw new Error(`${damage}: refused without pool and field: ${error.message}`)
    }
  }
}

const BOTH_WAYS = [
  { in: 0, out: 1 },
  { in: 1, out: 0 },
]
const AMOUNTS = Array.from({ length: 12 }, (_, i) => 7n * 10n ** BigInt(3 * i))

/** A pool never pays less than nothing, and never more for its own output than it took. */
function checkSolvent(pool: Pool, twin: Pool | undefined, damage: string): void {
  for (const direction of BOTH_WAYS) {
    for (const amountIn of AMOUNTS) {
      const out = getAmountOut(pool, direction, amountIn)
      if (out < 0n) throw new Error(`${damage}: pays ${out}`)
      const home = roundTrip(pool, direction, amountIn)
      // Rounding may give wei of tiny amounts to the trader, in the undamaged pool as well.
      const isOwn = twin && roundTrip(twin, direction, amountIn) > amountIn
      const isGift = () => roundTrip(withoutGift(pool), direction, amountIn) <= amountIn
      if (home > amountIn && !isOwn && !isGift()) {
        throw new Error(`${damage}: a round trip of ${amountIn} pays ${home}`)
      }
    }
  }
}

/**
 * The pool without what the contract itself gives to the next trader in a state that it can be in.
 * - A solmate vault without shares mints them 1:1: assets that were sent to it go to the first depositor.
 * - A CryptoSwap pool holds the wei that withdrawals rounded in its favour since it last computed D: up to
 *   10,000 of each coin and a billionth of D (see the door). If A and γ ever moved, it keeps an older D.
 * Everything else must not gain. The value of a share does not matter, because a lower one refuses fewer swaps.
 */
function withoutGift(pool: Pool): Pool {
  if (pool.family === 'erc4626') {
    const isFirst = pool.totalSupply === 0n && pool.virtuals[0] === 0n
    return isFirst ? { ...pool, totalAssets: 0n } : pool
  }
  if (pool.family !== 'curveCrypto') return pool
  const balances = pool.balances.map((balance) => (balance > 10_000n ? balance - 10_000n : 0n))
  const { ramp, D } = pool
  const fresh = ramp && cryptoInvariantOf(scaledBalances(pool, balances), formOf(pool))
  return { ...pool, balances, D: fresh ?? D + D / 10n ** 9n, virtualPrice: 1n }
}

function roundTrip(pool: Pool, direction: Direction, amountIn: bigint): bigint {
  const out = getAmountOut(pool, direction, amountIn)
  const back = { in: direction.out, out: direction.in }
  return out === 0n ? 0n : getAmountOut(applySwap(pool, direction, amountIn), back, out)
}

/** Lists the differences of two files: a leaf of the same type is another value, anything else another structure. */
function differencesOf(
  a: Json | undefined,
  b: Json | undefined,
  path = '',
): readonly { readonly path: string; readonly isValue: boolean }[] {
  if (a === b) return []
  const isHolder = (value: unknown) => typeof value === 'object' && value !== null
  if (!isHolder(a) || !isHolder(b)) return [{ path, isValue: typeof a === typeof b }]
  if (Array.isArray(a) !== Array.isArray(b)) return [{ path, isValue: false }]
  const names = new Set([...Object.keys(a as object), ...Object.keys(b as object)])
  return [...names].flatMap((name) => {
    const [before, after] = [(a as never)[name], (b as never)[name]] as [Json?, Json?]
    return differencesOf(before, after, `${path}.${name}`)
  })
}
