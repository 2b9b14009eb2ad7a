// The project `unit` with one file changed on its way to the tests: the file on disk stays as it is.

import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import workspace from '../../vitest.config.js'

type Change = {
  readonly path: string
  readonly from: number
  readonly to: number
  readonly by: string
}

const projects = workspace.test?.projects as readonly TestProjectInlineConfiguration[]
const { test, ...unit } = projects.find((project) => project.test?.name === 'unit')!

export default defineConfig({
  ...unit,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform(source, id) {
        const change = JSON.parse(process.env['BRAID_MUTANT'] ?? '{}') as Partial<Change>
        if (id !== change.path) return undefined
        return source.slice(0, change.from) + change.by + source.slice(change.to)
      },
    },
  ],
  test: {
    ...test,
    // Only what Vite compiles can be changed on its way.
    experimental: { viteModuleRunner: true },
    execArgv: [],
    setupFiles: ['packages/core/src/testing/seed.ts', 'scripts/mutants/limit.ts'],
    maxWorkers: 1,
    bail: 1,
    // The type checker, which runs between two mutants, lets no timer fire.
    teardownTimeout: 120_000,
    silent: true,
    reporters: [{}],
  },
})
