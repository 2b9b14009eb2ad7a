/** The time limits of tests, in milliseconds. */

/** Of a unit test; more cases than by default take as much longer. */
export const unitTimeoutMs =
  60_000 * Math.max(1, Number(process.env['BRAID_FUZZ_RUNS'] ?? 0) / 1000)

/** Of an end-to-end test, and of what any test sets up. */
export const e2eTimeoutMs = 600_000

/** Of what a test waits for, unless it says otherwise: a second is too short on a machine that does other things. */
export const pollTimeoutMs = 30_000
