// Starts what tests of a release share: a remote, a registry, and the workflows on them, with a workspace of three
// packages or with all of this repository.

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { playWorkflows } from './playWorkflows.mjs'
import { startRegistry } from './registry.mjs'

const root = resolve(import.meta.dirname, '..')

function write(clone: string, path: string, value: unknown) {
  mkdirSync(dirname(join(clone, path)), { recursive: true })
  const text = typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`
  writeFileSync(join(clone, path), text)
}

/** Packages of which the first, by the alphabet, needs the second; the others are private. */
function writeSmallWorkspace(clone: string) {
  const files = ['.github', '.changeset', 'biome.json', 'scripts/release.mjs', 'scripts/pack.mjs']
  const isKept = (from: string) => !from.endsWith('.md')
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
  const write1 = (path: string, more: object) => {
    const name = `@braid-swap/${path.split('/')[1]}`
    const manifest = { name, version: '0.1.0', repository: 'braid-swap/braid', ...more }
    write(clone, `${path}/package.json`, `${JSON.stringify(manifest, undefined, 2)}\n`)
  }
  write1('packages/chain', { dependencies: { '@braid-swap/core': 'workspace:^' } })
  write1('packages/core', {})
  write1('packages/vectors', { private: true })
  write1('apps/api', { private: true })
  const scriptsOfTests = ['scripts/packages.mjs', 'scripts/rehearse.mjs', '.ci/run']
  for (const path of scriptsOfTests) write(clone, path, '')
}

/** What a small workspace has installed: the tools of a release, and its own packages. */
function linkSmallWorkspace(clone: string) {
  const link = (path: string, to: string) => {
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    symlinkSync(to, join(clone, path))
  }
  for (const name of ['@changesets', '@biomejs', 'sherif']) {
    link(`node_modules/${name}`, realpathSync(join(root, 'node_modules', name)))
  }
  link('packages/chain/node_modules/@braid-swap/core', join(clone, 'packages/core'))
}

export async function startRelease() {
  const folder = mkdtempSync(join(tmpdir(), 'braid-release-'))
  const remote = join(folder, 'remote.git')
  const refused = new Set<string>()
  const registry = await startRegistry({ isOurs: () => true, upstream: undefined, refused })
  const play = playWorkflows({ folder, remote, registry, prepare: linkSmallWorkspace })
  const source = join(folder, 'workspace')
  writeSmallWorkspace(source)
  await play.run(source, 'git init -qb main && git add --all . && git commit -qm first')
  await play.run(
    source,
    `git init -q --bare -b main ${remote}; git push -q ${remote} HEAD:refs/heads/main`,
  )

  /** Commits a change of a package to a branch, after a command; without a kind of version, no changeset. */
  const change = async (name: string, kind: string, { branch = 'main', first = 'true' } = {}) => {
    const clone = await play.checkout('main')
    await play.run(clone, first)
    const text = `---\n"@braid-swap/${name}": ${kind}\n---\n\nA change.\n`
    if (kind !== '') write(clone, `.changeset/${name}-${kind}.md`, text)
    write(clone, `packages/${name}/note.txt`, kind)
    await play.run(
      clone,
      `git add --all . && git commit -qm change && git push -q origin HEAD:${branch}`,
    )
    return clone
  }
  /** Makes the next version of a branch and publishes it; gives the version. */
  const release = async (branch = 'main') => {
    if ((await play.plan(branch)) !== 'plan=version') throw new Error('no version is planned')
    await play.version(branch)
    const { plan, clone } = await play.test(branch)
    if (plan !== 'plan=publish') throw new Error(plan)
    await play.publish(clone, branch)
    return versionIn(clone)
  }
  return {
    ...{ play, change, release, refused, registry },
    tagsOf: (name: string) => registry.packages.get(`@braid-swap/${name}`)?.['dist-tags'],
    close: () => {
      registry.close()
      play.close()
    },
  }
}

export function versionIn(clone: string): string {
  return JSON.parse(readFileSync(join(clone, 'packages/core/package.json'), 'utf8')).version
}
