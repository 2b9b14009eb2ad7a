// `pnpm soak [--minutes 30] [--seed 1]`: every fault of a service of several processes in random order,
// under load, with every answer compared with the chain. Needs a redis-server.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  // pnpm passes the `--` that some people write before the options.
  args: process.argv.slice(2).filter((word) => word !== '--'),
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})
const [minutes, seed] = [values.minutes, values.seed].map(Number)
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('usage: pnpm soak [--minutes N] [--seed N]')
  process.exit(2)
}

const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1

const file = 'packages/e2e/src/processes/soak.fuzz.ts'
process.exitCode =
  run('turbo', ['run', 'build', '--output-logs=errors-only']) ||
  run('vitest', ['run', '--project', 'fuzz', file, '--disable-console-intercept'], {
    BRAID_SOAK_MINUTES: `${minutes}`,
    BRAID_FUZZ_SEED: `${seed}`,
  })
