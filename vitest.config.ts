import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SkipReporter } from './packages/vectors/src/testing/skipReporter.js'

// `module` is a condition of bundlers: what packages offer under it, Node may not be able to load.
const shared = {
  resolve: { conditions: ['src', 'node'] },
  ssr: { resolve: { conditions: ['src', 'node'] } },
}

const unitFiles = ['{packages,apps}/*/{src,scripts}/**/*.test.ts', 'scripts/**/*.test.ts']
const e2eFiles = ['{packages,apps}/*/src/**/*.e2e.ts']

export default defineConfig({
  test: {
    // Vitest leaves one core to itself, which on a machine of two is half of it. End-to-end tests wait
    // for chains and pages a fifth of their time: one worker more keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', new SkipReporter()],
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: unitFiles,
          setupFiles: ['packages/core/src/testing/seed.ts'],
          // No test mocks a module or changes the environment, so files can share what they import.
          isolate: false,
          // More cases than by default take as much longer.
          testTimeout: 60_000 * Math.max(1, Number(process.env['BRAID_FUZZ_RUNS'] ?? 0) / 1000),
          hookTimeout: 600_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          include: e2eFiles,
          // As above: a file starts the chain, the API and the page that it needs.
          isolate: false,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        ...shared,
        test: {
          // Both of the above in the same workers, which then load and compile what they share once.
          name: 'all',
          include: [...unitFiles, ...e2eFiles],
          setupFiles: ['packages/core/src/testing/seed.ts'],
          isolate: false,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'fuzz',
          include: ['{packages,apps}/*/src/**/*.fuzz.ts'],
          testTimeout: 3_600_000,
        },
      },
    ],
  },
})
