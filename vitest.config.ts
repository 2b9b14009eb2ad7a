import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SkipReporter } from './packages/vectors/src/testing/skipReporter.js'
import { FileOrder } from './scripts/fileOrder.mjs'

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

/** What all tests have in common. */
const common = {
  expect: expectations,
  // Node loads and runs the modules, as in production, and not Vite.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ['--import', new URL('scripts/sources/register.mjs', import.meta.url).href],
  setupFiles: ['packages/core/src/testing/seed.ts'],
  // No test mocks a module or changes the environment, so files can share what they import.
  isolate: false,
  testTimeout: e2eTimeoutMs,
  hookTimeout: e2eTimeoutMs,
}

const unitFiles = [
  '{packages,apps}/*/{src,scripts}/**/*.test.ts',
  '{scripts,docs/examples}/**/*.test.ts',
]
const e2eFiles = ['{packages,apps}/*/src/**/*.e2e.ts', 'scripts/*.e2e.ts']

/** A story for each surface against the real thing. `npm test` asks them beside the units. */
const stories = [
  'apps/api/src/search/searchThreads.e2e.ts',
  'apps/api/src/tests/{following,live}.e2e.ts',
  'apps/cli/src/main.e2e.ts',
  'apps/cli/src/sources/api.e2e.ts',
  'apps/cli/src/swap/pay.e2e.ts',
  'apps/demo/src/demo.e2e.ts',
  'apps/page/src/page.e2e.ts',
]

/** Stories of which `npm test` draws or asks a part, and `npm run test:all` what it always did. */
const partlyTold = [
  'apps/api/src/tests/roles.e2e.ts',
  'packages/client/src/send/promise.test.ts',
  'packages/e2e/src/chain/followedMarket.e2e.ts',
  'packages/e2e/src/families/differential.e2e.ts',
  'packages/e2e/src/orders/quoteEqualsExecution.e2e.ts',
  'packages/e2e/src/processes/oneProcess.e2e.ts',
]

const projects = {
  unit: { include: unitFiles, testTimeout: unitTimeoutMs },
  e2e: { include: e2eFiles },
  // The two sets of `npm test` and `npm run test:all`, and both at once.
  first: {
    include: [...unitFiles, ...stories, ...partlyTold],
    env: { BRAID_E2E_SCALE: '0.04' },
  },
  rest: {
    include: [...e2eFiles, ...partlyTold],
    exclude: ['**/node_modules/**', ...stories],
  },
  all: { include: [...unitFiles, ...e2eFiles] },
  fuzz: { include: ['{packages,apps}/*/src/**/*.fuzz.ts'], testTimeout: 3_600_000 },
}

export default defineConfig({
  test: {
    // Vitest leaves one core to itself, which on a machine of two is half of it. End-to-end tests wait
    // for chains and pages a fifth of their time: one worker more keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', new SkipReporter()],
    globalSetup: ['scripts/bundleThread.mjs'],
    sequence: { sequencer: FileOrder },
    projects: Object.entries(projects).map(([name, project]) => ({
      ...shared,
      test: { name, ...common, ...project },
    })),
  },
})
