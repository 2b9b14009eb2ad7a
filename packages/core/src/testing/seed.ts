import fc from 'fast-check'

// CI uses a fixed seed, so that a push is judged on the same cases each time. Other machines and
// the nightly run use new seeds; a failure prints its seed, so that it can be repeated.
const seed = process.env['BRAID_FUZZ_SEED'] ?? (process.env['CI'] ? '20261121' : undefined)

if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) })
