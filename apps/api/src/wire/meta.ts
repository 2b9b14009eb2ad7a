import { z } from 'zod'
import { address, amount, bps, hex } from './fields.js'

/** A warning in `meta`; a finding of core's judge has all fields. */
const warningSchema = z.strictObject({
  ...{ code: z.string(), message: z.string() },
  level: z.enum(['warn', 'ask', 'refuse']).optional(),
  measure: z.number().nullable().optional(),
  limit: z.number().optional(),
})
export type Warning = Readonly<z.output<typeof warningSchema>>

/** The fields of `meta`. An optional field is absent if it is unknown. */
export const metaSchema = z.looseObject({
  quoteId: z.string(),
  blockNumber: amount,
  blockHash: hex,
  /** Unix seconds. */
  blockTimestamp: z.int(),
  snapshotId: z.string(),
  stateAgeMs: z.int(),
  recorded: z
    .literal(true)
    .optional()
    .describe('The market is from a file: of this block for ever, for trying only.'),
  engineVersion: z.string(),
  mode: z.enum(['exact', 'sum']),
  solveMs: z.number(),
  bound: z
    .strictObject({
      maxDstAmount: amount.optional(),
      maxNetDstAmount: amount.optional(),
      /** With `dstAmountExact`: the least input of any route, or the least input plus gas. */
      minSrcAmount: amount.optional(),
      minSrcCost: amount.optional(),
      gapBps: bps
        .nullable()
        .describe(
          'Most that a better route could add, in basis points. Null is unknown, not 0: the answer is above its bound, so the bound is wrong and left out.',
        ),
      method: z.string(),
    })
    .optional()
    .describe(
      'A proved limit on every route that passes each token at most once, split or not, over the pools of the quoted state and within its caps on gas and hops. It counts the gas of crossed ticks, and knows how much of each token a route can bring. Routes in a circle are not covered, nor pools whose price is far off the market, except as a single hop.',
    ),
  fee: z
    .strictObject({
      bps: z.number(),
      amount,
      token: address.describe('The token out, wrapped if it is native.'),
      recipient: address,
    })
    .optional()
    .describe(
      'The fee of an integrator, only with feeBps. It is paid out of the output, and every other amount is net of it. A swap that only wraps pays none.',
    ),
  /** The output at the rates before the order, after its fees. */
  spotDstAmount: amount.optional(),
  gasCostInDst: amount.optional(),
  /** Number of venues in each state; absent if venues are not on trial. */
  venues: z.record(z.string(), z.int()).optional(),
  /** Wei per gas that a transaction in the next block pays. */
  gasPrice: amount,
  /** The part of it that pays for a place in the block; absent if it is nothing. */
  priorityFee: amount.optional(),
  /** Distance below those rates, with fees left out on both sides; null if unknown. */
  priceImpactBps: z.number().nullable(),
  suggestedSlippage: z
    .strictObject({
      bps: z.int(),
      pairBps: z.int(),
      moveBps: z.int(),
      sampledBps: z.int(),
      maxBps: z.int(),
      watchedSeconds: z.int(),
    })
    .optional()
    .describe(
      'What slippage=auto uses, in basis points: the least of the pair, plus the move of this route over the watched seconds, plus an allowance for sampled pools, at most maxBps. Absent if it is unknown.',
    ),
  suggestedSlippageBps: z.int().optional(),
  /** The last block at which the API still answers from this state. */
  validUntilBlock: amount,
  warnings: z
    .array(warningSchema)
    .describe(
      'What to know before signing. A finding in the quote itself has its measure, the limit that it passed and a level: ask is for its owner to accept first.',
    ),
})

/** The fields of `meta` of a swap. */
export const swapMetaSchema = metaSchema.extend({
  minDstAmount: amount,
  slippagePpm: z.int(),
  slippageBps: z.number(),
  /** Unix seconds. */
  deadline: z.int(),
  fees: z
    .strictObject({ maxFeePerGas: amount, maxPriorityFeePerGas: amount })
    .describe(
      'For a transaction of type 2: room for six full blocks, of which only the base fee and the tip are paid. Wallets and nodes refuse these together with the gasPrice of tx.',
    ),
  intent: z.strictObject({
    ...{
      router: address,
      executor: address,
      payer: address,
      receiver: address,
      minDstAmount: amount,
    },
  }),
  simulated: z.boolean(),
  simulation: z
    .strictObject({
      ran: z.boolean(),
      ok: z.literal(true).optional(),
      dstAmount: amount.optional(),
      blockNumber: amount.optional(),
      gasUsed: amount.optional(),
    })
    .optional(),
  /** Only if `from` was checked. */
  wallet: z
    .strictObject({
      balance: amount,
      allowance: amount,
      /** Null if the node does not report it. */
      usingBigBlocks: z.boolean().nullable(),
    })
    .optional(),
})
