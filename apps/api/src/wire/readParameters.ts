import { ownValue } from '@braid-swap/core/advanced'
import type { z } from 'zod'
import { ApiError, type ErrorCode, type Issue, messageOf } from '../errors.js'
import type { Fault } from './parameters.js'

const RECEIVED_LENGTH = 100

/** Parameters as they arrive. A repeated name has a list. */
export type RawParameters = Readonly<Record<string, string | readonly string[] | undefined>>

type Found = { readonly code: ErrorCode; readonly issue: Issue }

/** A fault of a parameter, whose issue may have a more specific code. */
function found(
  code: ErrorCode,
  at: Pick<Issue, 'in' | 'path'>,
  { reason = code, ...rule }: Omit<Issue, 'in' | 'path' | 'code'> & { reason?: string | undefined },
): Found {
  return { code, issue: { ...at, code: reason, ...rule } }
}

/**
 * The parameters of a schema, and the names that the schema does not know. Throws an
 * {@link ApiError} that lists every fault: repeated names, names with the wrong case, missing values
 * and invalid values.
 */
export function readParameters<S extends z.ZodObject>(
  schema: S,
  raw: RawParameters,
  where: 'query' | 'path',
): { readonly values: z.output<S>; readonly ignored: readonly string[] } {
  const known = Object.keys(schema.shape)
  const { faults, ignored } = checkNames(known, raw, where)
  const single = Object.fromEntries(
    known.flatMap((name) => {
      const value = ownValue(raw, name)
      return typeof value === 'string' ? [[name, value] as const] : []
    }),
  )
  const parsed = schema.safeParse(single)
  const wrong = (parsed.error?.issues ?? [])
    .filter((issue) => !Array.isArray(ownValue(raw, String(issue.path[0]))))
    .map((issue) => toFound(issue, { raw: single, where }))
  const same = checkSameToken(known, single)
  const all = [...faults, ...wrong, ...checkAmounts(known, raw), ...same]
  const [first] = all
  if (first || !parsed.success) throw toError(all)
  return { values: parsed.data, ignored }
}

function checkNames(known: readonly string[], raw: RawParameters, where: Issue['in']) {
  const faults: Found[] = []
  const ignored: string[] = []
  for (const [name, value] of Object.entries(raw)) {
    if (known.includes(name)) {
      if (typeof value === 'string' || value === undefined) continue
      const message = `is given ${value.length} times`
      const rule = { message, received: cut(value.join(', ')), expected: 'one value' }
      faults.push(found('DUPLICATE_PARAMETER', { in: where, path: name }, rule))
      continue
    }
    const meant = known.find((other) => other.toLowerCase() === name.toLowerCase())
    if (meant === undefined) {
      ignored.push(name)
      continue
    }
    const message = 'is not a parameter; names are case-sensitive'
    const at = { in: where, path: cut(name) }
    faults.push(found('UNKNOWN_PARAMETER', at, { message, expected: meant }))
  }
  return { faults, ignored }
}

function toFound(
  issue: z.core.$ZodIssue,
  { raw, where }: { raw: Readonly<Record<string, string>>; where: Issue['in'] },
): Found {
  const path = String(issue.path[0])
  const received = ownValue(raw, path)
  const at = { in: where, path }
  if (issue.code !== 'custom') {
    return found('MISSING_PARAMETER', at, { message: 'is required', expected: 'a value' })
  }
  const { code, reason, expected, message } = issue.params as Fault
  const given = received === undefined ? {} : { received: cut(received) }
  return found(code, at, { reason, expected, message, ...given })
}

/** Exactly one of the amount to sell and the amount to buy must be given, if either may be. */
function checkAmounts(known: readonly string[], raw: RawParameters): Found[] {
  if (!known.includes('dstAmountExact')) return []
  const given = ['amount', 'dstAmountExact'].filter((name) => ownValue(raw, name) !== undefined)
  if (given.length === 1) return []
  const isNone = given.length === 0
  const code = isNone ? 'MISSING_PARAMETER' : 'AMOUNT_AMBIGUOUS'
  const isList = isNone && ownValue(raw, 'amounts') !== undefined
  const message = isNone
    ? `is required, or dstAmountExact${isList ? '; /quotes takes amounts' : ''}`
    : 'must be absent if dstAmountExact is given'
  const expected = isNone ? 'a value' : 'one of amount and dstAmountExact'
  return [found(code, { in: 'query', path: 'amount' }, { message, expected })]
}

/** Compares the raw text, so that the fault is reported together with those of other parameters. */
function checkSameToken(known: readonly string[], raw: Readonly<Record<string, string>>): Found[] {
  const { src, dst } = raw
  if (!known.includes('dst') || !src || src.toLowerCase() !== dst?.toLowerCase()) return []
  if (!/^0x[a-f0-9]{40}$/i.test(src)) return []
  const rule = {
    message: 'must differ from src',
    received: dst,
    expected: 'a token other than src',
  }
  return [found('SAME_TOKEN', { in: 'query', path: 'dst' }, rule)]
}

function toError(all: readonly Found[]): ApiError {
  const issues = all.map(({ issue }) => issue)
  const didYouMean = all.find(({ code }) => code === 'UNKNOWN_PARAMETER')?.issue.expected
  return new ApiError(all[0]?.code ?? 'MISSING_PARAMETER', messageOf(issues), {
    issues,
    details: didYouMean === undefined ? {} : { didYouMean },
  })
}

function cut(text: string): string {
  return text.slice(0, RECEIVED_LENGTH)
}
