import type { Oracle } from './pool.js'

/**
 * The oracle after a write at `timestamp`, at most one per block, in a pool that was at `tick`
 * since the previous write. Observations more than `keepSeconds` older than the newest are only
 * counted. Oracle.write, v3-core@1.0.1
 */
export function writeObservation(
  oracle: Oracle,
  write: { readonly timestamp: bigint; readonly tick: number; readonly keepSeconds: number },
): Oracle {
  const timestamp = Number(write.timestamp)
  const { index, cardinalityNext, observations } = oracle
  const last = observations.at(-1)!
  if (last.timestamp === timestamp) return oracle
  const grows = cardinalityNext > oracle.cardinality && index === oracle.cardinality - 1
  const cardinality = grows ? cardinalityNext : oracle.cardinality
  const elapsed = BigInt(timestamp - last.timestamp)
  const tickCumulative = last.tickCumulative + BigInt(write.tick) * elapsed
  const all = [...observations, { timestamp, tickCumulative }]
  const isFull = oracle.older + observations.length === cardinality
  // In a full ring the oldest observation is overwritten, whether it is kept here or only counted.
  const held = isFull && oracle.older === 0 ? all.slice(1) : all
  const older = isFull && oracle.older > 0 ? oracle.older - 1 : oracle.older
  return pruneOracle(
    { index: (index + 1) % cardinality, cardinality, cardinalityNext, older, observations: held },
    write.keepSeconds,
  )
}

/** The oracle without observations that no average over the last `keepSeconds` can need. */
export function pruneOracle(oracle: Oracle, keepSeconds: number): Oracle {
  const { observations } = oracle
  const start = observations.at(-1)!.timestamp - keepSeconds
  let first = 0
  while (first + 1 < observations.length && observations[first + 1]!.timestamp <= start) first++
  if (first === 0) return oracle
  return { ...oracle, older: oracle.older + first, observations: observations.slice(first) }
}

/**
 * The average tick over the last `seconds` before `now`, rounded towards zero, in a pool that is at
 * `tick` since its newest observation; `undefined` if the oracle does not reach back far enough.
 * Oracle.observe, v3-core@1.0.1
 */
export function averageTick(
  oracle: Oracle,
  { now, seconds, tick }: { readonly now: number; readonly seconds: number; readonly tick: number },
): bigint | undefined {
  const start = cumulativeAt(oracle, now - seconds, tick)
  if (start === undefined) return undefined
  return (cumulativeAt(oracle, now, tick)! - start) / BigInt(seconds)
}

function cumulativeAt({ observations }: Oracle, time: number, tick: number): bigint | undefined {
  const at = observations.findLastIndex(({ timestamp }) => timestamp <= time)
  const before = observations[at]
  if (!before) return undefined
  const elapsed = BigInt(time - before.timestamp)
  const after = observations[at + 1]
  if (!after) return before.tickCumulative + BigInt(tick) * elapsed
  const span = BigInt(after.timestamp - before.timestamp)
  // Divides before it multiplies, as the contract does.
  return before.tickCumulative + ((after.tickCumulative - before.tickCumulative) / span) * elapsed
}
