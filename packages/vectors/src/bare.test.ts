import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noReferenceVectors } from './index.js'
import { skipLines } from './testing/skipReporter.js'

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

  it('counts suites by reason', () => {
    expect(skipLines(['a', 'b', 'a'])).toEqual(['skipped: 2 suites, a', 'skipped: 1 suite, b'])
    expect(skipLines([])).toEqual([])
  })
})

describe('every suite that uses the reference vectors', () => {
  const tests = ['packages', 'apps']
    .flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'src')),
    )
    .flatMap((source) =>
      readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(test|e2e|fuzz)\.ts$/.test(file))
        .map((file) => join(source, file)),
    )
    .filter((file) => !file.startsWith(import.meta.dirname))

  it('gets them from describeReferenceVectors and from nowhere else', () => {
    expect(tests.length).toBeGreaterThan(100)
    const around = /\b(?:has|no)ReferenceVectors\b|\breadReferenceVector\b|referenceVectorsPath/
    const bypassing = tests.filter((file) => {
      const text = readFileSync(file, 'utf8')
      return around.test(text) || /BRAID_VECTORS|shared\/vectors/.test(text)
    })
    expect(bypassing).toEqual([])
  })

  it('names its variable and its remedy', () => {
    expect(noReferenceVectors).toMatch(/^no reference vectors at \/.* \(set BRAID_VECTORS\)$/)
  })
})
