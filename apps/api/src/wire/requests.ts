import { z } from 'zod'
import {
  addressesParameter,
  addressParameter,
  amountParameter,
  amountsParameter,
  booleanParameter,
  enumParameter,
  idParameter,
  integerParameter,
  namesParameter,
  percentParameter,
  signatureParameter,
  slippageParameter,
} from './parameters.js'

/** Allowed gas limits: from a plain transfer to a whole big block. */
const GAS_LIMIT = { min: 21_000n, max: 30_000_000n }
const GAS_PRICE = { min: 1n, max: 1n << 128n, isText: true }
const TIP = { ...GAS_PRICE, min: 0n }
const HOPS = { min: 1n, max: 10n }
const UINT64 = { min: 0n, max: (1n << 64n) - 1n }
const MAX_UINT256 = (1n << 256n) - 1n
const UINT256 = { min: 0n, max: MAX_UINT256, isText: true }
/** No pool contract supports a larger amount. */
const MAX_SWAP_AMOUNT = (1n << 128n) - 1n
const AGE_MS = { min: 1n, max: 3_600_000n }
const POOLS = { min: 1n, max: 50n }
const PAGE = { min: 0n, max: 1_000_000n }
/** The executor pays no more at once, and the encoder refuses more. */
const FEE_BPS = { min: 0n, max: 100n }
const TOKENS = { min: 1n, max: 1_000n }

const maxStateAgeMs = integerParameter(
  'refuse a market state older than this, in milliseconds',
  AGE_MS,
).optional()
const block = integerParameter(
  'use the state at this block; only states of recent blocks are retained',
  UINT64,
).optional()
const extras = {
  includeTokensInfo: booleanParameter('adds srcToken and dstToken'),
  includeGas: booleanParameter('adds gas'),
  includeMeta: booleanParameter('adds meta'),
  objective: enumParameter('what is maximised: the output net of gas, or the output alone', [
    'net',
    'gross',
  ]),
  maxPriorityFeePerGas: integerParameter(
    'wei per gas for a place in a full block, on top of the base fee; what recent full blocks took when absent',
    TIP,
  ).optional(),
  maxStateAgeMs,
  includeProtocols: namesParameter('use only these venues: ids from liquidity-sources'),
  excludeProtocols: namesParameter('exclude these venues: ids from liquidity-sources'),
  maxHops: integerParameter('maximum number of pools on any path from src to dst', HOPS).optional(),
  maxPriceImpact: percentParameter(
    'refuse a quote whose price impact exceeds this; percentage, 0 <= x <= 50',
    'AMOUNT_OUT_OF_RANGE',
  ).optional(),
  block,
}

/** Each is a search, and all must be answered within the time of one request. */
const MAX_AMOUNTS = 20
const amounts = amountsParameter(
  `amounts to swap, in the smallest unit of src, comma-separated, at most ${MAX_AMOUNTS}`,
  { allowZero: false, max: MAX_SWAP_AMOUNT, most: MAX_AMOUNTS },
)

/** Which pools and tokens a route may pass. */
function routeParameters({ strictChecksum }: { readonly strictChecksum: boolean }) {
  return {
    excludePools: addressesParameter(
      'exclude these pools: pool or poolId of graph entries, comma-separated, at most 100',
      { strictChecksum, most: 100, mayBeId: true },
    ),
    onlyIntermediates: addressesParameter(
      'pass only these tokens between src and dst, comma-separated, at most 50; by default those that the operator trusts',
      { strictChecksum, most: 50 },
    ),
    includeNearest: booleanParameter(
      'adds details.nearest to 422 NO_ROUTE, INSUFFICIENT_LIQUIDITY and AMOUNT_TOO_SMALL: the most that can be filled, and the pools left out',
    ),
  }
}

/** The pair and its amount: of the source token, or of one of the two. */
function pairParameters(token: (text: string) => ReturnType<typeof addressParameter>) {
  const pair = {
    src: token('source token; the native token address is allowed'),
    dst: token('destination token; the native token address is allowed'),
    amount: amountParameter('amount to swap, in the smallest unit of src', {
      ...{ allowZero: false, max: MAX_SWAP_AMOUNT },
    }),
  }
  const pairEitherWay = {
    ...pair,
    amount: amountParameter(
      'amount to swap, in the smallest unit of src; required unless dstAmountExact is given',
      { allowZero: false, max: MAX_SWAP_AMOUNT },
    ).optional(),
    dstAmountExact: amountParameter(
      'amount to receive at least, in the smallest unit of dst, instead of amount',
      { allowZero: false, max: MAX_SWAP_AMOUNT },
    ).optional(),
  }
  return { pair, pairEitherWay }
}

/** An integrator's fee. */
function feeParameters(receiver: (text: string) => ReturnType<typeof addressParameter>) {
  return {
    feeBps: integerParameter(
      'fee of an integrator, in basis points of the output; all amounts are net of it; none when absent',
      FEE_BPS,
    ).optional(),
    feeRecipient: receiver('address that gets the fee; required with feeBps').optional(),
  }
}

/** The parameters of a quote, of quotes of several amounts, and of a stream of quotes. */
function quoteSchemas(
  shared: ReturnType<typeof pairParameters>['pairEitherWay'] &
    ReturnType<typeof routeParameters> &
    ReturnType<typeof feeParameters> &
    typeof extras,
) {
  const quote = z.object({
    ...shared,
    includeRoutes: booleanParameter('adds routes'),
    includeGraph: booleanParameter('adds graph'),
    exactQuote: enumParameter('yes: full graph walk; no: the pre-computed sum', ['yes', 'no']),
  })
  return {
    quote,
    quotes: quote
      .omit({ amount: true, dstAmountExact: true, includeNearest: true })
      .extend({ amounts }),
    // A stream answers from each block in turn, so none can be chosen.
    quoteStream: quote.omit({ block: true, maxStateAgeMs: true, includeNearest: true }),
  }
}

/**
 * The parameters of every endpoint. With `strictChecksum`, a mixed-case address must have a valid
 * EIP-55 checksum.
 */
export function requestSchemas({ strictChecksum }: { readonly strictChecksum: boolean }) {
  const token = (text: string) => addressParameter(text, { strictChecksum, isToken: true })
  const wallet = (text: string) => addressParameter(text, { strictChecksum, isToken: false })
  const receiver = (text: string) =>
    addressParameter(text, { strictChecksum, isToken: false, mayBeZero: true })
  const { pair, pairEitherWay } = pairParameters(token)
  const fee = feeParameters(receiver)
  const routes = routeParameters({ strictChecksum })
  return {
    ...quoteSchemas({ ...pairEitherWay, ...extras, ...routes, ...fee }),
    swap: z.object({
      ...pairEitherWay,
      slippage: slippageParameter('percentage, 0 <= x <= 50; auto uses the suggested slippage'),
      from: wallet('wallet that executes the swap').optional(),
      receiver: receiver('address that receives the output; the sender when absent').optional(),
      gasPrice: integerParameter('wei per gas', GAS_PRICE).optional(),
      gasLimit: integerParameter('gas limit of the transaction', GAS_LIMIT).optional(),
      includeCalls: booleanParameter(
        'adds calls: tx and the approvals it needs, for wallet_sendCalls; requires from',
      ),
      skipChecks: booleanParameter('skips the balance and allowance checks'),
      simulate: booleanParameter('simulates the transaction on the node’s newest state'),
      deadline: integerParameter(
        'Unix seconds after which the router rejects the swap; 20 minutes after the block when absent',
        UINT64,
      ).optional(),
      permit: signatureParameter('EIP-2612 permit for the router to spend src until the deadline', {
        ...{ min: 65, max: 65 },
      }),
      permit2: signatureParameter('Permit2 signature for this swap, valid until the deadline', {
        ...{ min: 64, max: 1_024 },
      }),
      permit2Nonce: integerParameter('nonce of the permit2 signature', UINT256).optional(),
      ...fee,
      ...extras,
      ...routes,
    }),
    approveTransaction: z.object({
      tokenAddress: token('token to approve'),
      amount: amountParameter('amount to approve; unlimited when absent, 0 revokes', {
        ...{ allowZero: true, max: MAX_UINT256 },
      }).optional(),
      walletAddress: wallet('owner of the token; adds revokeFirst').optional(),
    }),
    approveAllowance: z.object({
      tokenAddress: token('token to spend'),
      walletAddress: wallet('owner of the token'),
      includeMeta: booleanParameter('adds meta'),
    }),
    none: z.object({}),
    snapshot: z.object({
      maxStateAgeMs,
      block,
      snapshotId: idParameter(
        'use the state with this id; only states of recent blocks are retained',
      ),
    }),
    tokens: z.object({
      page: integerParameter('page number, from 0; 0 when absent', PAGE).optional(),
      limit: integerParameter(
        'maximum number of tokens on a page; 100 when absent',
        TOKENS,
      ).optional(),
      verified: booleanParameter('true: only verified tokens; false: only the others'),
    }),
    token: z.object({ address: token('token contract') }),
    dexCompare: z.object({
      ...pair,
      limit: integerParameter('maximum number of pools; 10 when absent', POOLS).optional(),
      includeMeta: booleanParameter('adds meta'),
    }),
  }
}

/** The result of {@link requestSchemas}. */
export type RequestSchemas = ReturnType<typeof requestSchemas>
/** The values of the parameters of an endpoint. */
export type Values<N extends keyof RequestSchemas> = z.output<RequestSchemas[N]>
