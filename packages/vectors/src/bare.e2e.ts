import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const NOWHERE = join(root, 'no-such-folder')
/** The properties of these suites are tested elsewhere; here they only have to run. */
const FEW = { BRAID_FUZZ_RUNS: '20' }

/** A run of one suite that reads vectors, as a child, with the folder of the vectors absent. */
function runBare(environment: NodeJS.ProcessEnv) {
  const { CI, VITEST, VITEST_MODE, ...inherited } = process.env
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'unit'],
      ...['packages/core/src/math/math.test.ts', 'packages/core/src/pools/uniswapV2'],
    ],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...inherited, NO_COLOR: '1', BRAID_VECTORS: NOWHERE, ...FEW, ...environment },
    },
  )
  return { status, stdout, output: stdout + stderr }
}

describe('a clone without reference vectors', () => {
  it('passes, and says in one line what it skipped', () => {
    const { status, stdout, output } = runBare({})
    expect(output).not.toContain('FAIL')
    expect(status).toBe(0)
    const lines = stdout.split('\n').filter((line) => line.startsWith('skipped:'))
    expect(lines).toEqual([
      `skipped: 2 suites, no reference vectors at ${NOWHERE} (set BRAID_VECTORS)`,
    ])
    expect(output.split('BRAID_VECTORS')).toHaveLength(2)
  })

  it('fails in CI, which must not take a missing checkout for success', () => {
    const { status, output } = runBare({ CI: 'true' })
    expect(status).toBe(1)
    expect(output).toContain(`no reference vectors at ${NOWHERE}`)
  })
})
