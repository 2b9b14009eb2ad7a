/**
 * The one way for a test to use the reference vectors. Vitest runs the body of a skipped `describe`
 * too, to collect its tests, so a suite that reads a file there fails where the file is absent. Here
 * the body runs only if the vectors are there; if not, one skipped test stands in its place.
 */
import { describe, it } from 'vitest'
import { hasReferenceVectors, noReferenceVectors, readReferenceVector } from '../index.js'

/**
 * A `describe` whose `body` needs the reference vectors and gets their reader. Without them it is one
 * skipped test with the reason as its note. In CI their absence fails the file instead.
 */
export function describeReferenceVectors(
  name: string,
  body: (readVector: typeof readReferenceVector) => void,
): void {
  describe(name, () => {
    if (hasReferenceVectors()) body(readReferenceVector)
    else it('needs the reference vectors', (context) => context.skip(noReferenceVectors))
  })
}
