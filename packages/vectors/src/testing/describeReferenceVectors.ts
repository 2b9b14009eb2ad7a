/**
 * The one way for a test to use the reference vectors. Vitest runs the body of a skipped `describe`
 * too, to collect its tests, so a suite that reads a file there fails where the file is absent. Here
 * the body runs only if the vectors are there; if not, one skipped test stands in its place.
 */
import { describe, it } from 'vitest'
import {
  hasReferenceCases,
  hasReferenceVectors,
  noReferenceCases,
  noReferenceVectors,
  readReferenceCase,
  readReferenceVector,
} from '../index.js'

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

/** As {@link describeReferenceVectors}, for rows that contracts of others and public tables answered. */
export function describeReferenceCases(
  name: string,
  body: (readCase: typeof readReferenceCase) => void,
): void {
  describe(name, () => {
    if (hasReferenceCases()) body(readReferenceCase)
    else it('needs the reference cases', (context) => context.skip(noReferenceCases))
  })
}
