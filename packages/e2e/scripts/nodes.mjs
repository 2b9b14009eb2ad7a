/**
 * Measures Braid behind nodes that behave as HyperEVM's are recorded to, and prints a table:
 *
 *   pnpm --filter @braid-swap/e2e nodes [row…] [--seconds 600] [--parallel 3] [--logs FOLDER]
 *
 * Without a row it measures all; a wrong name prints their names.
 */
import { spawnSync } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '600' },
    parallel: { type: 'string', default: '3' },
    logs: { type: 'string' },
  },
})
const vitest = resolve(
  dirname(fileURLToPath(import.meta.resolve('vitest/package.json'))),
  'vitest.mjs',
)
const file = 'packages/e2e/src/nodes/nodes.fuzz.ts'
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', file, '--project=fuzz', '--disable-console-intercept'],
  {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: 'inherit',
    env: {
      ...process.env,
      BRAID_NODES_ROWS: positionals.join(' '),
      BRAID_NODES_SECONDS: values.seconds,
      BRAID_NODES_PARALLEL: values.parallel,
      ...(values.logs && { BRAID_NODES_LOGS: resolve(values.logs) }),
    },
  },
)
process.exitCode = status ?? 1
