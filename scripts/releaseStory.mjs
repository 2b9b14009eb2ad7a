// Starts what tests of a release and its rehearsal share: a remote, a registry, and the workflows on them, with a
// workspace of three packages or with all of this repository.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './pack.mjs'
import { playWorkflows } from './playWorkflows.mjs'
import { startRegistry } from './registry.mjs'

function write(clone, path, value) {
  mkdirSync(dirname(join(clone, path)), { recursive: true })
  const text = typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`
  writeFileSync(join(clone, path), text)
}

/** Packages of which the first, by the alphabet, needs the second; the others are private. */
function writeSmallWorkspace(clone) {
  const files = ['.github', '.changeset', 'biome.json', 'scripts/release.mjs', 'scripts/pack.mjs']
  const isKept = (from) => !from.endsWith('.md')
  for (const path of files) {
    cpSync(join(root, path), join(clone, path), { recursive: true, filter: isKept })
  }
  const names = ['build', 'fuzz', 'unit', 'mutants', 'contracts']
  const scripts = Object.fromEntries(names.map((name) => [name, 'true']))
  write(clone, 'package.json', {
    ...{ name: 'workspace', private: true, type: 'module' },
    ...{ packageManager: 'pnpm@10.34.9', scripts },
  })
  write(clone, 'pnpm-workspace.yaml', 'packages: [packages/*, apps/*]\n')
  write(clone, '.gitignore', 'node_modules\nparts\n')
  const config = JSON.parse(readFileSync(join(root, '.changeset/config.json'), 'utf8'))
  write(clone, '.changeset/config.json', { ...config, fixed: [['@braid-swap/{chain,core}']] })
  const write1 = (path, more) => {
    const name = `@braid-swap/${path.split('/')[1]}`
    const manifest = { name, version: '0.1.0', repository: 'braid-swap/braid', ...more }
    write(clone, `${path}/package.json`, manifest)
  }
  write1('packages/chain', { dependencies: { '@braid-swap/core': 'workspace:^' } })
  write1('packages/core', {})
  write1('packages/vectors', { private: true })
  write1('apps/api', { private: true })
  const scriptsOfTests = ['scripts/packages.mjs', 'scripts/rehearse.mjs', '.ci/run']
  for (const path of scriptsOfTests) write(clone, path, '')
}

/** Brings what is installed here by links, and a copy of what is built, which a build would write over. */
function copyInstalled(clone, isWhole) {
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  const made = isWhole ? ['node_modules', 'dist'] : ['node_modules']
  for (const kind of ['packages', 'apps']) {
    for (const name of readdirSync(join(clone, kind))) {
      for (const path of made.map((part) => join(kind, name, part))) {
        if (!existsSync(join(root, path))) continue
        // Links between packages stay relative, so that they lead to those of the clone.
        cpSync(join(root, path), join(clone, path), { recursive: true, verbatimSymlinks: true })
      }
    }
  }
}

/**
 * Starts a release of the last commit here, or of a small workspace. Each clone is tested by `test`, a line of the
 * shell; what is not ours is asked of the registry `upstream`.
 */
export async function startRelease({ isWhole = false, test = 'true', upstream } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'braid-release-'))
  const remote = join(folder, 'remote.git')
  const refused = new Set()
  const isOurs = (name) => name === 'braid' || name.startsWith('@braid-swap/')
  const registry = await startRegistry({ isOurs, upstream, refused })
  const prepare = (clone) => copyInstalled(clone, isWhole)
  const play = playWorkflows({ folder, remote, registry, test, prepare })
  const source = isWhole ? root : join(folder, 'workspace')
  if (!isWhole) {
    writeSmallWorkspace(source)
    await play.run(source, 'git init -qb main && git add --all . && git commit -qm first')
  }
  await play.run(
    source,
    `git init -q --bare -b main ${remote}; git push -q ${remote} HEAD:refs/heads/main`,
  )

  /** Commits a change of a package to a branch, after a command; without a kind of version, no changeset. */
  const change = async (name, kind, { branch = 'main', first = 'true' } = {}) => {
    const clone = await play.checkout('main')
    await play.run(clone, first)
    const text = `---\n"@braid-swap/${name}": ${kind}\n---\n\nA change.\n`
    if (kind !== '') write(clone, `.changeset/${name}-${kind}.md`, text)
    write(clone, `packages/${name}/note.txt`, kind)
    await play.run(
      clone,
      `git add --all . && git commit -qm change && git push -q origin HEAD:refs/heads/${branch}`,
    )
  }
  /** Makes the next version of a branch, if changesets ask for one, and publishes it; gives the version. */
  const release = async (branch = 'main') => {
    if ((await play.plan(branch)) === 'plan=version') await play.version(branch)
    const { plan, clone } = await play.test(branch)
    if (plan !== 'plan=publish') throw new Error(plan)
    await play.publish(clone, branch)
    return versionIn(clone)
  }
  return {
    ...{ folder, play, change, release, refused, registry },
    tagsOf: (name) => registry.packages.get(`@braid-swap/${name}`)?.['dist-tags'],
    tagged: async () => (await play.run(folder, `git ls-remote --tags ${remote}`)).trim(),
    close: () => {
      registry.close()
      play.close()
    },
  }
}

/** The version of all packages in a clone. */
export function versionIn(clone) {
  return JSON.parse(readFileSync(join(clone, 'packages/core/package.json'), 'utf8')).version
}
