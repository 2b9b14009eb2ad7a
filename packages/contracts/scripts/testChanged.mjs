/**
 * Tests the contracts if what the tests read has changed since they last passed, and then writes the new hash to
 * `tested.sha256`, which is committed: compiling them takes minutes, and most changes are elsewhere. `--always` tests
 * them anyway and fails if the committed hash is of other files.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '..')
const read = (path) => readFileSync(join(folder, path), 'utf8')

/** Files below a path, in an order that no file system decides. */
function filesOf(path) {
  if (!statSync(join(folder, path)).isDirectory()) return [path]
  const names = readdirSync(join(folder, path)).sort()
  return names.flatMap((name) => filesOf(`${path}/${name}`))
}

/** The hash of the sources, the tests, and the versions of what they import. */
function hashOfInputs() {
  const own = ['src', 'test', 'snapshots', 'foundry.toml', 'deployments.json']
  const tools = ['scripts/forge.mjs', 'scripts/solc.cjs', '../../docs/program.md']
  const { devDependencies } = JSON.parse(read('package.json'))
  const versions = Object.keys(devDependencies).map(
    (name) => `${name} ${JSON.parse(read(`node_modules/${name}/package.json`)).version}`,
  )
  const texts = [...own, ...tools].flatMap(filesOf).map((path) => `${path}\n${read(path)}`)
  return createHash('sha256')
    .update([...versions, ...texts].join('\n'))
    .digest('hex')
}

const isAlways = process.argv.includes('--always')
const [hash, tested] = [hashOfInputs(), read('tested.sha256').trim()]
if (hash === tested && !isAlways) {
  process.stdout.write('contracts: as when their tests last passed; `pnpm contracts` runs them\n')
} else {
  const { status } = spawnSync(process.execPath, [join(folder, 'scripts/forge.mjs'), 'test'], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
  if (status === 0 && isAlways && hash !== tested) {
    process.stderr.write('tested.sha256 is of other files: `npm test` writes it; commit it\n')
    process.exitCode = 1
  } else if (status === 0) writeFileSync(join(folder, 'tested.sha256'), `${hash}\n`)
}
