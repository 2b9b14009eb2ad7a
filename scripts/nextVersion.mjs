// The next version, as the release workflow makes it: from changesets, in a clone of the last commit.

import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publicPackages, root } from './pack.mjs'

/** Changes with their changesets: one in core and one in the contracts. */
const CHANGES = new Map([
  ['core', 'Quotes are as before.'],
  ['contracts', 'The router is as before.'],
])

/**
 * Clones the repository, changes core and the contracts, lets changesets write versions and changelogs, and checks
 * what they wrote. Gives the version. Nothing is installed in the clone.
 */
export function makeNextVersion(clone) {
  const run = (program, words) =>
    execFileSync(program, words, {
      cwd: clone,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const tool = (path, words) => run(process.execPath, [join(root, 'node_modules', path), ...words])
  execFileSync('git', ['clone', '--quiet', root, clone])
  for (const [name, what] of CHANGES) {
    const text = `---\n"@braid-swap/${name}": patch\n---\n\n${what}\n`
    writeFileSync(join(clone, `.changeset/${name}.md`), text)
    appendFileSync(join(clone, `packages/${name}/src/index.ts`), '\n// The next version.\n')
  }
  tool('@changesets/cli/bin.js', ['version'])
  const changed = run('git', ['diff', '--name-only', '--diff-filter=AM']).trim().split('\n')
  tool('@biomejs/biome/bin/biome', ['check', '--skip=suspicious/noImportCycles', ...changed])
  tool('sherif/index.js', [])
  const packages = publicPackages(clone)
  const [version, ...others] = new Set(packages.map(({ manifest }) => manifest.version))
  if (others.length > 0) throw new Error(`packages have versions ${version}, ${others.join(', ')}`)
  for (const [name, what] of CHANGES) {
    const log = readFileSync(join(clone, `packages/${name}/CHANGELOG.md`), 'utf8')
    if (!log.includes(`## ${version}\n\n`) || !log.includes(what)) {
      throw new Error(`the changelog of ${name} does not say what changed in ${version}`)
    }
  }
  return version
}
