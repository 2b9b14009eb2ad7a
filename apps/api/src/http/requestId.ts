import { randomFillSync } from 'node:crypto'
import { ulid } from 'ulid'

/** Random bytes drawn at once: a draw from the system costs more than the id. */
const pool = Buffer.alloc(4_096)
let used = pool.length

/** A new request id: a ULID, which sorts by time. */
export function newRequestId(): string {
  return ulid(undefined, randomFraction)
}

/** A number from 0 to below 1, from a byte of the system's randomness, as `ulid` takes it. */
function randomFraction(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  // The top five bits of a byte are one of the 32 characters, all equally likely.
  return pool[used++]! / 256
}
