// The nodes that Braid is measured behind, one row of the table each.
import { nanoreth, nasty, official, type Quirks, unlimited } from '@braid-swap/worlds/node'

/** A node, and how it changes while Braid follows it. */
export type Row = {
  /** The word that chooses it. */
  readonly name: string
  readonly title: string
  readonly quirks?: Partial<Quirks>
  /** Changes after so many seconds of a market that is ready. */
  readonly changes?: readonly Change[]
  /** The API knows that the node answers 100 requests a minute. */
  readonly isLimited?: boolean
  /** The pools of the market; the devnet's own by default. */
  readonly pools?: number
  /** It starts with the market that an earlier process saved. */
  readonly isWarm?: boolean
  /** Answers may be wrong while the node gives wrong logs; after this second it gives them no more. */
  readonly wrongLogsUntilS?: number
}

/** A change of quirks, given the newest height. */
export type Change = {
  readonly atS: number
  readonly quirks: (head: number) => Partial<Quirks>
}

/** The longest time that logs are late, in seconds of a market that is ready. */
const LATE_LOGS_S = 60
/** The pools of the largest market here, in the proportions of the devnet's. */
export const MANY_POOLS = 1_000

/** The rows of a run of so many seconds each. */
export function rowsFor(seconds: number): readonly Row[] {
  const lateUntilS = Math.min(LATE_LOGS_S, seconds / 2)
  return [
    { name: 'plain', title: 'no quirk' },
    { name: 'official', title: '`official`', quirks: official, isLimited: true },
    {
      ...{ name: 'official-warm', title: '`official`, warm start' },
      ...{ quirks: official, isLimited: true, isWarm: true },
    },
    { name: 'nanoreth', title: '`nanoreth`', quirks: nanoreth },
    { name: 'nasty', title: '`nasty`', quirks: nasty, isLimited: true },
    { name: 'two-backends', title: 'two backends, one block apart', quirks: { backends: 2 } },
    {
      ...{ name: 'late-logs', title: 'half of the newest logs missing for 700 ms' },
      quirks: { lateLogsMs: 700 },
      changes: [{ atS: lateUntilS, quirks: () => ({ lateLogsMs: 0 }) }],
      wrongLogsUntilS: lateUntilS,
    },
    {
      ...{ name: 'short-blocks', title: 'half of the logs of every second block missing for ever' },
      ...{ quirks: { shortBlockEvery: 2 }, wrongLogsUntilS: Number.POSITIVE_INFINITY },
    },
    {
      ...{ name: 'sibling-logs', title: 'every fourth block with the logs of the block before' },
      ...{ quirks: { siblingLogsEvery: 4 }, wrongLogsUntilS: Number.POSITIVE_INFINITY },
    },
    {
      ...{ name: 'official-1000', title: '`official`, 1,000 pools' },
      ...{ quirks: official, isLimited: true, pools: MANY_POOLS },
    },
  ]
}

/** The quirks of the process that saves the market for a warm start: no limit, so that it is quick. */
export const savingQuirks = unlimited
