/**
 * The number of random cases that a property test tries: `BRAID_FUZZ_RUNS`, or else `byDefault`. The default
 * is small because `npm test` runs every property; the nightly run sets the variable to a million.
 */
export function propertyRuns(byDefault = 500): number {
  return Number(process.env['BRAID_FUZZ_RUNS'] ?? byDefault)
}
