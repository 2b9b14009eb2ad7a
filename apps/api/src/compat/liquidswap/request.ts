// The query of LiquidSwap's route endpoint, and what it means in our terms.

import { type Address, NATIVE, type Snapshot } from '@braid-swap/core'
import { z } from 'zod'
import { requireTokens } from '../../answers/tradable.js'
import { ApiError, messageOf } from '../../errors.js'
import { venuesOf } from '../../market/marketPools.js'
import { askerOf } from '../../middleware/asker.js'
import type { ApiContext } from '../../middleware/state.js'
import type { Need } from '../../need.js'
import { freshState } from '../../routes/request.js'
import { decimalsOf } from '../../tokens/decimals.js'
import {
  addressParameter,
  booleanParameter,
  integerParameter,
  parameter,
  percentParameter,
} from '../../wire/parameters.js'
import { type Decimal, decimalParameter, toWei } from '../shape/decimals.js'
import type { SchemaOptions } from '../shape/shape.js'
import type { OwnRequest } from '../shape/translate.js'
import { type Dex, dexesOf, dexVenues } from './dexes.js'

/** LiquidSwap's address of the native token. */
const DEAD = '0x000000000000000000000000000000000000dead'
const PPM_PER_PERCENT = 10_000
const DEFAULT_SLIPPAGE_PPM = PPM_PER_PERCENT
const INDICES = '^[0-9]{1,4}(,[0-9]{1,4}){0,99}$'

const indices = (description: string) =>
  parameter<readonly number[]>({ description, pattern: INDICES }, (text) =>
    new RegExp(INDICES).test(text)
      ? { value: text.split(',').map(Number) }
      : {
          fault: {
            ...{ code: 'INVALID_ENUM', expected: INDICES },
            message: 'must be comma-separated numbers of dexes',
          },
        },
  ).optional()

/** The query of `/v2/route`. */
export function routeQuery({ strictChecksum }: SchemaOptions) {
  const token = (text: string) => addressParameter(text, { strictChecksum, isToken: true })
  return z.object({
    tokenIn: token('token to sell'),
    tokenOut: token('token to buy'),
    amountIn: decimalParameter('amount to sell, in whole tokens; or amountOut').optional(),
    amountOut: decimalParameter('amount to buy, in whole tokens, instead of amountIn').optional(),
    chainId: integerParameter('999 when absent', { min: 0n, max: 1n << 53n }).optional(),
    multiHop: booleanParameter('ignored: every route may have several hops'),
    slippage: percentParameter(
      'percentage, 0 <= x <= 50; 1 when absent',
      'INVALID_SLIPPAGE',
    ).optional(),
    unwrapWHYPE: booleanParameter('pays the native token if tokenOut is the wrapped one'),
    includeDexes: indices('use only these dexes; then excludeDexes has no effect'),
    excludeDexes: indices('exclude these dexes'),
    feeBps: integerParameter('fee of the integrator, in basis points of the output', {
      ...{ min: 0n, max: 100n },
    }).optional(),
    feeRecipient: addressParameter('address that gets the fee; ignored without one', {
      ...{ strictChecksum, isToken: false, mayBeZero: true },
    }).optional(),
  })
}

/** A request of this shape, translated. */
export type TranslatedOrder = {
  /** Of the request, with our address of the native token. */
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly dexes: readonly Dex[]
  readonly own: OwnRequest
}

/** The names of our parameters in this shape. */
const NAMES = {
  ...{ src: 'tokenIn', dst: 'tokenOut', amount: 'amountIn', dstAmountExact: 'amountOut' },
  ...{ includeProtocols: 'includeDexes', excludeProtocols: 'excludeDexes' },
}

/**
 * The request in our terms. Throws {@link ApiError} for amounts, tokens and dexes that cannot be
 * served.
 */
export async function translate(
  ctx: ApiContext,
  need: Need,
  params: z.output<ReturnType<typeof routeQuery>>,
): Promise<TranslatedOrder> {
  const { amountIn, amountOut } = params
  requireOneAmount(params)
  const native = (token: Address) => (token === DEAD ? NATIVE : token)
  const [tokenIn, tokenOut] = [native(params.tokenIn), native(params.tokenOut)]
  const { snapshot } = freshState(ctx, need).graph
  const isUnwrapped = params.unwrapWHYPE && tokenOut === snapshot.wrappedNative
  const dst = isUnwrapped ? NATIVE : tokenOut
  if (tokenIn === dst) throw sameToken(params.tokenOut)
  await requireTokens({ tokenIn, tokenOut }, snapshot, {
    asker: askerOf(ctx, need),
    ...need,
  })
  const weiOf = async (amount: Decimal, token: Address, path: string) =>
    `${toWei(amount, { path, decimals: await readDecimals(need, snapshot, token) })}`
  const query = {
    ...{ src: tokenIn, dst },
    amount: amountIn && (await weiOf(amountIn, tokenIn, 'amountIn')),
    dstAmountExact: amountOut && (await weiOf(amountOut, tokenOut, 'amountOut')),
    slippage: `${(params.slippage ?? DEFAULT_SLIPPAGE_PPM) / PPM_PER_PERCENT}`,
    ...dexesOfQuery(snapshot, params),
    ...feeOfQuery(params),
    ...{ skipChecks: 'true', includeMeta: 'true' },
  }
  const chainId = `${params.chainId ?? need.config.chainId}`
  const dexes = dexesOf(venuesOf(snapshot))
  return { tokenIn, tokenOut, dexes, own: { chainId, query, names: NAMES } }
}

/** A fee of 0 is no fee, even if a recipient is given. */
function feeOfQuery({
  feeBps = 0n,
  feeRecipient,
}: Pick<z.output<ReturnType<typeof routeQuery>>, 'feeBps' | 'feeRecipient'>) {
  return feeBps > 0n ? { feeBps: `${feeBps}`, feeRecipient } : {}
}

async function readDecimals({ tokens }: Need, snapshot: Snapshot, token: Address) {
  const known = decimalsOf(snapshot, token)
  // The token answered before, so it is in the book.
  return known ?? (await tokens.read([token])).get(token)!.decimals
}

function dexesOfQuery(
  snapshot: Snapshot,
  {
    includeDexes,
    excludeDexes,
  }: Pick<z.output<ReturnType<typeof routeQuery>>, 'includeDexes' | 'excludeDexes'>,
) {
  const market = venuesOf(snapshot)
  if (includeDexes) {
    const venues = dexVenues(market, { path: 'includeDexes', indices: includeDexes })
    if (venues.length > 0) return { includeProtocols: venues.join(',') }
    throw new ApiError('NO_ROUTE', 'none of the dexes in includeDexes has a pool')
  }
  const venues = dexVenues(market, { path: 'excludeDexes', indices: excludeDexes ?? [] })
  return venues.length > 0 ? { excludeProtocols: venues.join(',') } : {}
}

function requireOneAmount({
  amountIn,
  amountOut,
}: {
  readonly amountIn?: Decimal | undefined
  readonly amountOut?: Decimal | undefined
}): void {
  if ((amountIn === undefined) !== (amountOut === undefined)) return
  const isNone = amountIn === undefined
  const code = isNone ? 'MISSING_PARAMETER' : 'AMOUNT_AMBIGUOUS'
  const message = isNone ? 'is required, or amountOut' : 'must be absent if amountOut is given'
  const expected = 'one of amountIn and amountOut'
  const issues = [{ in: 'query' as const, path: 'amountIn', code, message, expected }]
  throw new ApiError(code, messageOf(issues), { issues })
}

function sameToken(received: string): ApiError {
  const code = 'SAME_TOKEN'
  const message = 'must differ from tokenIn'
  const issue = { path: 'tokenOut', code, message, received, expected: 'another token' }
  const issues = [{ in: 'query' as const, ...issue }]
  return new ApiError(code, messageOf(issues), { issues })
}
