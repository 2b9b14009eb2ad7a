/** How answers tell which part of the venues' pools is served; every figure is computed by `venueShares` of chain. */
import type { VenueShare } from '@braid-swap/chain'
import { z } from 'zod'
import { amount } from './fields.js'

/** The part of a venue's known pools that is in answers. */
export const shareSchema = z.strictObject({
  /** Known pools. */
  pools: z.int(),
  served: z.int(),
  /** The part of what its pools hold that is in those served, cut to two digits; null if that is unknown. */
  heldPercent: z.number().nullable(),
  /** The pools that are not served, by reason. */
  refused: z.record(z.string(), z.int()),
  /** True if no pool is served, and not because all are empty, on trial or not read yet. */
  isRefused: z.boolean(),
})

/** The venues of the market, with the ids that `includeProtocols` and `excludeProtocols` take. */
export const liquiditySourcesSchema = z.strictObject({
  protocols: z.array(
    z.strictObject({
      id: z.string(),
      poolTypes: z.array(z.string()),
      /** Pools in the market; 0 for a venue of which no pool is served. */
      pools: z.int(),
      /** Absent if it is not known, as for a venue that the operator no longer has. */
      share: shareSchema.optional(),
      /** What judges its formulas: `double` alone means that only a contract of ours confirms them. */
      judges: z.array(z.enum(['bytecode', 'rows', 'records', 'double'])).optional(),
    }),
  ),
})

export type LiquiditySourcesBody = z.infer<typeof liquiditySourcesSchema>

/** A share as answers show it, beside the name of its venue. */
export function showShare({
  venue: _,
  held: __,
  ...share
}: VenueShare): z.infer<typeof shareSchema> {
  return share
}

/** A verdict: who is out of answers, or accused without effect. */
export const verdictSchema = z.strictObject({
  subject: z.string(),
  kind: z.enum(['pool', 'token', 'venue']),
  isActedOn: z.boolean(),
  evidence: z.string(),
  until: z.string(),
  overrule: z.string(),
})

/** Sampled answers: how many could be performed, and how much less than quoted half and 95 % of those paid at most. */
export const accuracySchema = z.strictObject({
  ...{ samples: z.int(), simulablePercent: z.number() },
  ...{ p50Bps: z.number().nullable(), p95Bps: z.number().nullable() },
})

/** A venue, and whether it has earned its place in answers: it has in `canary` and `serving`. */
export const venueStateSchema = z.strictObject({
  exchange: z.string(),
  state: z.enum(['shadow', 'canary', 'serving', 'quarantined']),
  /** The block since which it is in this state; null before the first question. */
  block: amount.nullable(),
  /** What speaks against it; null if nothing does. */
  reason: z.string().nullable(),
})
