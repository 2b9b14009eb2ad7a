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
const e2eFiles = ['{packages,apps}/*/src/**/*.e2e.ts', 'scripts/*.e2e.ts']

/** A story for each surface against the real thing. `npm test` asks them beside the units. */
const stories = [
  'apps/api/src/search/searchThreads.e2e.ts',
  'apps/api/src/tests/{following,live,roles}.e2e.ts',
  'apps/cli/src/main.e2e.ts',
  'apps/cli/src/sources/api.e2e.ts',
  'apps/cli/src/swap/pay.e2e.ts',
  'apps/demo/src/demo.e2e.ts',
  'apps/page/src/page.e2e.ts',
  'packages/e2e/src/chain/followedMarket.e2e.ts',
  'packages/e2e/src/families/differential.e2e.ts',
  'packages/e2e/src/orders/quoteEqualsExecution.e2e.ts',
  'packages/e2e/src/processes/oneProcess.e2e.ts',
]

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
          // In the same workers as the units, which then load and compile what they share once.
          name: 'first',
          expect: expectations,
          include: [...unitFiles, ...stories],
          setupFiles: ['packages/core/src/testing/seed.ts'],
          isolate: false,
          testTimeout: e2eTimeoutMs,
          hookTimeout: e2eTimeoutMs,
        },
      },
      {
        ...shared,
        test: {
          name: 'rest',
          expect: expectations,
          include: e2eFiles,
          exclude: ['**/node_modules/**', ...stories],
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
