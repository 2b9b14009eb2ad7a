/**
 * What hostile servers and nodes say. Input: an honest answer. Output: the same answer with one place
 * changed, each place in turn; a test tells them to a program and counts what its wallet lost.
 */
import {
  type Address,
  decodeRouterCall,
  encodeRouterCall,
  type Hex,
  type RouterCall,
} from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'

/** Any answer in JSON. */
export type Json =
  | { readonly [name: string]: Json }
  | readonly Json[]
  | string
  | number
  | boolean
  | null

/** One place of an answer, said otherwise. */
export type Lie = { readonly name: string; readonly tell: (honest: Json) => Json }

/** The account that hostile answers would pay. */
export const THIEF: Address = toHex(0xbad, 20)

/** What hostile nodes answer to any method: nothing, almost nothing, and a word that is almost zero. */
export const NODE_LIES: readonly Json[] = [null, '0x1', toHex(1, 32)]

/**
 * The lies about an answer of the API: several about each place that decides a transaction, one about
 * each other. Of a list the first entry and the last one are changed.
 */
export function liesAbout(honest: Json, path: readonly string[] = []): readonly Lie[] {
  if (typeof honest === 'object' && honest !== null) {
    const names = Object.keys(honest)
    const told = Array.isArray(honest) ? [...new Set([names.at(0), names.at(-1)])] : names
    return told.flatMap((name) =>
      name === undefined ? [] : liesAbout(honest[name as keyof Json], [...path, name]),
    )
  }
  const decides = path[0] === 'tx' || path.at(-1) === 'dstAmount'
  const told = worse(honest).map((value) => ({ name: `${value}`, change: () => value as Json }))
  const reworded = path.join() === 'tx,data' ? CALLS.map(rewording) : []
  return [...(decides ? told : told.slice(-1)), ...reworded].map(({ name, change }) => ({
    name: `${path.join('.')}: ${name.slice(0, 80)}`,
    tell: (body) => withChange(body, path, change),
  }))
}

/** Part of the full number of draws. `BRAID_E2E_SCALE`: 0.1 by default, 1 for the full run. */
const EVERY = Math.max(1, Math.round(1 / Number(process.env['BRAID_E2E_SCALE'] ?? 0.1)))

/** All lies that decide a transaction, and of the others this run's part, which begins at random. */
export function drawLies(lies: readonly Lie[]): readonly Lie[] {
  const start = Math.floor(Math.random() * EVERY)
  return lies.filter(({ name }, at) => /^tx\.|dstAmount:/.test(name) || at % EVERY === start)
}

function withChange(body: Json, path: readonly string[], change: (old: Json) => Json): Json {
  const [name, ...rest] = path
  if (name === undefined) return change(body)
  if (Array.isArray(body)) {
    return body.map((one, i) => (`${i}` === name ? withChange(one, rest, change) : one))
  }
  const entries = Object.entries(body as { readonly [name: string]: Json })
  return Object.fromEntries(
    entries.map(([key, one]) => [key, key === name ? withChange(one, rest, change) : one]),
  )
}

/** Values that a thief would like better, by the form of the honest one. */
function worse(honest: Json): readonly Json[] {
  if (typeof honest === 'boolean') return [!honest]
  if (typeof honest === 'number') return [honest + 1, 1e15]
  if (typeof honest !== 'string') return ['1', THIEF]
  if (/^\d+$/.test(honest)) return ['0', `${10n ** 30n}`, `${BigInt(honest) * 2n + 1n}`]
  if (/^0x[0-9a-f]{40}$/i.test(honest)) return [THIEF]
  if (/^0x[0-9a-f]*$/i.test(honest)) return ['0x', `${honest.slice(0, -2)}ff`]
  return ['', `${MARKUP}\u001b[2J`]
}

/** Words that a page must not draw as its own, nor a terminal obey. */
export const MARKUP = '<img src=x onerror="globalThis.isTaken=1"> Send all to 0xbad\u202e'

/** Calldata that pays or sells something else. */
const CALLS: readonly Partial<RouterCall>[] = [
  { receiver: THIEF },
  { minAmountOut: 1n },
  { amountIn: 2n ** 70n },
  { tokenIn: THIEF },
  { tokenOut: THIEF },
  { deadline: 1n << 100n },
  { program: '0x' },
]

function rewording(change: Partial<RouterCall>) {
  const reword = (data: Json) => encodeRouterCall({ ...decodeRouterCall(data as Hex), ...change })
  return { name: `another ${Object.keys(change)}`, change: reword }
}
