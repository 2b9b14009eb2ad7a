import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SkipReporter } from './packages/vectors/src/testing/skipReporter.js'

// `module` is a condition of bundlers: what packages offer under it, Node may not be able to load.
const shared = {
  resolve: { conditions: ['src', 'node'] },
  ssr: { resolve: { conditions: ['src', 'node'] } },
}

/** Runs with more random cases than by default take longer in proportion. */
const unitTimeoutMs = 60_000 * Math.max(1, Number(process.env['BRAID_FUZZ_RUNS'] ?? 0) / 1000)
const e2eTimeoutMs = 600_000

// Vitest polls for one second by default, which is too short on a machine that does other things.
const expectations = { poll: { timeout: 30_000 } }

const unitFiles = [
  '{packages,apps}/*/{src,scripts}/**/*.test.ts',
  '{scripts,docs/examples}/**/*.test.ts',
]
const e2eFiles = ['{packages,apps}/*/src/**/*.e2e.ts']

export default defineConfig({
  test: {
    // Vitest leaves one core to itself, which on a machine of two is half of it. End-to-end tests wait
    // for chains and pages a fifth of their time: one worker more keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', new SkipReporter()],
    globalSetup: ['scripts/bundleThread.mjs'],
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          expect: expectations,
          include: unitFiles,
          setupFiles: ['packages/core/src/testing/seed.ts'],
          // No test mocks a module or changes the environment, so files can share what they import.
          isolate: false,
          testTimeout: unitTimeoutMs,
          hookTimeout: e2eTimeoutMs,
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          expect: expectations,
          include: e2eFiles,
          // As above: a file starts the chain, the API and the page that it needs.
          isolate: false,
          testTimeout: e2eTimeoutMs,
          hookTimeout: e2eTimeoutMs,
        },
      },
      {
        ...shared,
        test: {
          // Both of the above in the same workers, which then load and compile what they share once.
          name: 'all',
          expect: expectations,
          include: [...unitFiles, ...e2eFiles],
          setupFiles: ['packages/core/src/testing/seed.ts'],
          isolate: false,
          testTimeout: e2eTimeoutMs,
          hookTimeout: e2eTimeoutMs,
        },
      },
      {
        ...shared,
        test: {
          name: 'fuzz',
          include: ['{packages,apps}/*/src/**/*.fuzz.ts'],
          testTimeout: 3_600_000,
          hookTimeout: e2eTimeoutMs,
        },
      },
    ],
  },
})
