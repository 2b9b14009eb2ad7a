import type { z } from 'zod'
import { refusal } from '../errors.js'
import type { ApiContext } from '../middleware/state.js'
import type { Need } from '../need.js'
import { withoutKeys } from '../wire/errorBody.js'
import { type RawParameters, readParameters } from '../wire/readParameters.js'

const CHAIN_ID_PATTERN = '^(0|-?[1-9][0-9]*)$'

/** Throws INVALID_CHAIN_ID or CHAIN_NOT_SUPPORTED unless the chain id of a request is that of this API. */
export function requireChain(received: string, { config }: Pick<Need, 'config'>): void {
  const supported = `${config.chainId}`
  if (received === supported) return
  const [at, cut] = [{ in: 'path', path: 'chainId' } as const, received.slice(0, 100)]
  if (!new RegExp(CHAIN_ID_PATTERN).test(received)) {
    const rule = { code: 'INVALID_CHAIN_ID', message: 'must be an integer' } as const
    throw refusal({ ...at, ...rule, received: cut, expected: CHAIN_ID_PATTERN })
  }
  const rule = { code: 'CHAIN_NOT_SUPPORTED', message: 'must be a supported chain' } as const
  const more = { message: `chain ${cut} is not supported`, details: { supported } }
  throw refusal({ ...at, ...rule, received: cut, expected: supported }, more)
}

/** The query parameters. Reports unknown names in `x-ignored-params`. */
export function readQuery<S extends z.ZodObject>(
  ctx: ApiContext,
  schema: S,
  query: RawParameters = ctx.query,
): z.output<S> {
  const { values, ignored } = readParameters(schema, query, 'query')
  if (ignored.length > 0) {
    const names = ignored.slice(0, 20).map(toShown)
    ctx.set('x-ignored-params', names.join(', '))
  }
  return values
}

function toShown(name: string): string {
  // Cut by code points: half of a surrogate pair cannot be encoded.
  return encodeURIComponent([...withoutKeys(name)].slice(0, 40).join(''))
}
