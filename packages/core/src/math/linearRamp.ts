/** A value that moves linearly in time, in unix seconds. */
export type LinearRamp = {
  readonly from: bigint
  readonly to: bigint
  readonly startTime: bigint
  readonly endTime: bigint
}

/** The value at a time; what it has moved by is rounded down, as contracts do. */
export function linearAt({ from, to, startTime, endTime }: LinearRamp, time: bigint): bigint {
  if (time >= endTime) return to
  const passed = time > startTime ? time - startTime : 0n
  const whole = endTime - startTime
  return to > from ? from + ((to - from) * passed) / whole : from - ((from - to) * passed) / whole
}
