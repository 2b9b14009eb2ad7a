// The nodes that Braid is measured behind, one row of the table each.
import type { DevnetPool } from '@braid-swap/devnet'
import {
  nanoreth,
  nasty,
  official,
  official50,
  type Quirks,
  unlimited,
} from '@braid-swap/worlds/node'

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
  /** Only the venues of this family are followed. */
  readonly family?: DevnetPool['family']
  /** The pools of the market; the devnet's own by default. */
  readonly pools?: number
  /** So many pools burn all gas in every call. */
  readonly burningPools?: number
  /** Nothing has to earn its place: the difference is what trust costs. */
  readonly isTrusting?: boolean
  /** It starts with the market that an earlier process saved. */
  readonly isWarm?: boolean
  /** Samples before this second are not counted: the node gives no blocks until then. */
  readonly countedFromS?: number
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
const FREEZE_S = { from: 5, until: 40 }
/** A block, and a round to see it. */
const THAW_S = 2
const BURNING_POOLS = 5
/** The pools of the largest market here, in the proportions of the devnet's. */
export const MANY_POOLS = 1_000
/** The families of the market. */
const FAMILIES = ['uniswapV2', 'uniswapV3', 'algebraIntegral', 'algebraV1'] as const

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
    {
      ...{ name: 'official-trusting', title: '`official`, everything trusted' },
      ...{ quirks: official, isLimited: true, isTrusting: true },
    },
    { name: 'official50', title: '`official50`', quirks: official50, isLimited: true },
    { name: 'nanoreth', title: '`nanoreth`', quirks: nanoreth },
    { name: 'nasty', title: '`nasty`', quirks: nasty, isLimited: true },
    { name: 'no-batches', title: 'batches refused', quirks: { batchSize: 0 } },
    {
      name: 'batch20',
      title: 'at most 20 a batch, after a head frozen for 35 s',
      quirks: { batchSize: 20 },
      changes: [
        { atS: FREEZE_S.from, quirks: () => ({ isFrozen: true }) },
        { atS: FREEZE_S.until, quirks: () => ({ isFrozen: false }) },
      ],
      countedFromS: FREEZE_S.until + THAW_S,
    },
    {
      ...{ name: 'null-block', title: 'a block null for ever' },
      changes: [{ atS: 5, quirks: (head) => ({ nullBlock: head + 3 }) }],
    },
    {
      ...{ name: 'fee-spike', title: 'a base fee that rises 800 times, then falls to 7 wei' },
      quirks: { baseFee: 'still' },
      changes: [{ atS: 5, quirks: (head) => ({ spikeAt: head + 1 }) }],
    },
    { name: 'history500', title: '500 blocks of history', quirks: { keptBlocks: 500 } },
    {
      ...{ name: 'gas5m', title: '`eth_call` above 5M gas refused' },
      quirks: { callGas: 5_000_000, moreGas: 'refused' },
    },
    {
      ...{ name: 'gas50m', title: '`eth_call` above 50M gas refused' },
      quirks: { callGas: 50_000_000, moreGas: 'refused' },
    },
    { name: 'no-overrides', title: 'overrides ignored', quirks: { overrides: 'ignored' } },
    {
      ...{ name: 'burning-pools', title: 'five pools whose calls burn all gas' },
      burningPools: BURNING_POOLS,
    },
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
    ...FAMILIES.map((family) => ({
      ...{ name: family, title: `pools of \`${family}\` only, \`official\` without its limit` },
      ...{ quirks: unlimited, family },
    })),
    {
      ...{ name: 'official-1000', title: '`official`, 1,000 pools' },
      ...{ quirks: official, isLimited: true, pools: MANY_POOLS },
    },
    {
      ...{ name: 'official-1000-trusting', title: '`official`, 1,000 pools, everything trusted' },
      ...{ quirks: official, isLimited: true, pools: MANY_POOLS, isTrusting: true },
    },
  ]
}

/** The quirks of the process that saves the market for a warm start: no limit, so that it is quick. */
export const savingQuirks = unlimited
