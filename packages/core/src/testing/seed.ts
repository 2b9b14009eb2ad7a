import fc from 'fast-check'

// A push is judged on the same cases each time; new ones are tried on every other machine, and by
// the nightly run, whose failures print the seed to repeat them with.
const seed = process.env['BRAID_FUZZ_SEED'] ?? (process.env['CI'] ? '20261121' : undefined)

if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) })
