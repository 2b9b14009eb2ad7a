import { z } from 'zod'
import { address, amount, bps, hex } from './fields.js'

/** What stands in `meta`, each only where it is known. */
export const metaSchema = z.looseObject({
  quoteId: z.string(),
  blockNumber: amount,
  blockHash: hex,
  /** Unix seconds. */
  blockTimestamp: z.int(),
  snapshotId: z.string(),
  stateAgeMs: z.int(),
  engineVersion: z.string(),
  mode: z.enum(['exact', 'sum']),
  solveMs: z.number(),
  bound: z
    .strictObject({
      maxDstAmount: amount.optional(),
      maxNetDstAmount: amount.optional(),
      gapBps: bps
        .nullable()
        .describe(
          'Basis points that a better route could bring at most. Null is unknown, not 0: the answer is above its bound, which is then wrong and left out.',
        ),
      method: z.string(),
    })
    .optional(),
  /** What the rates before the order would bring, after its fees. */
  spotDstAmount: amount.optional(),
  gasCostInDst: amount.optional(),
  /** Wei per gas that a transaction in the next block pays. */
  gasPrice: amount,
  /** Below those rates, fees left out on both sides; null where it cannot be told. */
  priceImpactBps: z.number().nullable(),
  /** The last block for which this state still stands for an answer. */
  validUntilBlock: amount,
  warnings: z.array(z.strictObject({ code: z.string(), message: z.string() })),
})

/** What stands in `meta` of a swap beside that. */
export const swapMetaSchema = metaSchema.extend({
  minDstAmount: amount,
  slippagePpm: z.int(),
  slippageBps: z.number(),
  /** Unix seconds. */
  deadline: z.int(),
  intent: z.strictObject({
    ...{ router: address, payer: address, receiver: address, minDstAmount: amount },
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
  /** Only of a `from` that was checked. */
  wallet: z
    .strictObject({
      balance: amount,
      allowance: amount,
      /** Null where the node does not know. */
      usingBigBlocks: z.boolean().nullable(),
    })
    .optional(),
})
