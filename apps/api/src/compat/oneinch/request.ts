// The queries of 1inch's Swap API v6, and what they mean in our terms.

import { ownValue } from '@braid-swap/core'
import { z } from 'zod'
import type { ApiContext } from '../../middleware/state.js'
import {
  addressParameter,
  amountParameter,
  booleanParameter,
  integerParameter,
  namesParameter,
  parameter,
  percentParameter,
} from '../../wire/parameters.js'
import { requestSchemas } from '../../wire/requests.js'
import type { SchemaOptions } from '../shape/shape.js'
import type { OwnRequest } from '../shape/translate.js'
import { refuseUnsupported } from '../shape/unsupported.js'

const MAX_AMOUNT = (1n << 128n) - 1n
const text = (description: string) =>
  parameter<string>({ description }, (value) => ({ value })).optional()

/** The query of `/quote`. */
export function quoteQuery({ strictChecksum }: SchemaOptions) {
  const token = (what: string) => addressParameter(what, { strictChecksum, isToken: true })
  return z.object({
    src: token('token to sell; the native token address is allowed'),
    dst: token('token to buy; the native token address is allowed'),
    amount: amountParameter('amount to sell, in the smallest unit', {
      ...{ allowZero: false, max: MAX_AMOUNT },
    }),
    includeTokensInfo: booleanParameter('adds srcToken and dstToken'),
    includeProtocols: booleanParameter('adds protocols'),
    includeGas: booleanParameter('adds gas'),
    protocols: namesParameter('use only these venues: ids from liquidity-sources'),
    excludedProtocols: namesParameter('exclude these venues: ids from liquidity-sources'),
    fee: text('only 0 is supported: our own endpoints have feeBps, a part of the output'),
  })
}

/** The query of `/swap`. */
export function swapQuery(options: SchemaOptions) {
  const { strictChecksum } = options
  const wallet = (what: string) => addressParameter(what, { strictChecksum, isToken: false })
  return quoteQuery(options).extend({
    from: wallet('wallet that sends the transaction'),
    origin: wallet('ignored').optional(),
    slippage: percentParameter('percentage, 0 <= x <= 50', 'INVALID_SLIPPAGE'),
    receiver: wallet('address that receives the output; the sender when absent').optional(),
    referrer: wallet('ignored without a fee').optional(),
    gasPrice: integerParameter('wei per gas', {
      min: 1n,
      max: 1n << 128n,
      isText: true,
    }).optional(),
    gasLimit: integerParameter('gas limit of the transaction', {
      ...{ min: 21_000n, max: 30_000_000n },
    }).optional(),
    disableEstimate: booleanParameter('skips the checks of balance, allowance and execution'),
    minReturn: text('not supported: give slippage'),
    permit: text('not supported'),
    usePermit2: booleanParameter('only false is supported'),
  })
}

/** The query of `/approve/transaction`. */
export const approvalQuery = (options: SchemaOptions) => requestSchemas(options).approveTransaction

/** The query of `/approve/allowance`. */
export const allowanceQuery = (options: SchemaOptions) =>
  requestSchemas(options).approveAllowance.omit({ includeMeta: true })

/** The names of our parameters in this shape. */
const NAMES = { includeProtocols: 'protocols', excludeProtocols: 'excludedProtocols' }

/** The values of both queries; a quote has the first part. */
type Params = z.output<ReturnType<typeof quoteQuery>> &
  Partial<z.output<ReturnType<typeof swapQuery>>>

/** A quote in our terms; what our own route has under the same name is passed on as it came. */
export function ownQuote(ctx: ApiContext, params: Params): OwnRequest {
  const { fee, minReturn, permit, usePermit2 } = params
  if (fee !== undefined && !/^0*(\.0*)?$/.test(fee)) {
    refuseUnsupported('fee', fee, 'a fee in this form, but feeBps of /swap/v1')
  }
  if (minReturn !== undefined) refuseUnsupported('minReturn', minReturn, 'a floor in wei')
  if (permit !== undefined && permit !== '' && permit !== '0x') {
    refuseUnsupported('permit', permit, 'the calldata of a permit')
  }
  if (usePermit2) refuseUnsupported('usePermit2', 'true', 'Permit2 in this form')
  const raw = (name: string) => ownValue(ctx.query, name) as string | undefined
  const query = {
    ...{ src: raw('src'), dst: raw('dst'), amount: raw('amount') },
    ...{ includeTokensInfo: raw('includeTokensInfo'), includeGas: raw('includeGas') },
    ...{ includeProtocols: raw('protocols'), excludeProtocols: raw('excludedProtocols') },
  }
  return { chainId: ctx['params'].chainId, query, names: NAMES }
}

/** A swap in our terms. */
export function ownSwap(ctx: ApiContext, params: Params): OwnRequest {
  const raw = (name: string) => ownValue(ctx.query, name) as string | undefined
  const own = ownQuote(ctx, params)
  const query = {
    ...own.query,
    ...{ from: raw('from'), slippage: raw('slippage'), receiver: raw('receiver') },
    ...{ gasPrice: raw('gasPrice'), gasLimit: raw('gasLimit') },
    ...{ skipChecks: raw('disableEstimate'), includeMeta: 'true' },
  }
  return { ...own, query }
}
