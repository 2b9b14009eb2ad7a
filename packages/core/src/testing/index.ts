/**
 * The conformance suite for families written outside. It needs vitest and fast-check, which are optional
 * peers of the package.
 */
export {
  anyDirectionOf,
  describeConformance,
  type Exceptions,
  type Tolerance,
} from './conformance.js'
