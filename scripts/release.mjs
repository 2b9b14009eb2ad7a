/**
 * `node scripts/release.mjs STEP`: what the workflow `release`, its rehearsal and a person do, step by step.
 *
 *   check           fails if a package changed since core's version did, and no changeset says so
 *   plan            prints what is next: plan=version, plan=publish or plan=nothing
 *   version         writes versions and changelogs from the changesets
 *   pack FOLDER     packs what is published
 *   publish FOLDER  publishes the tarballs of a folder that the registry does not have
 *   tag             marks the published commit at the remote
 *
 * Each can be repeated after a break. `publish` and `tag` need nothing installed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pack, publicPackages, root } from './pack.mjs'

const read = (program, words) =>
  execFileSync(program, words, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).trim()
const git = (...words) => read('git', words)
/** Runs a tool, and ends as it does if it fails, which it has explained by then. */
const tool = (path, ...words) => {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', path), ...words], {
    cwd: root,
    // What is printed is an output of the workflow; tools speak beside it.
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) process.exit(status ?? 1)
}
const changeset = (...words) => tool('@changesets/cli/bin.js', ...words)
const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))

/** The one version of all packages. */
function versionHere() {
  const [version, ...others] = new Set(publicPackages().map(({ manifest }) => manifest.version))
  if (others.length > 0) throw new Error(`packages have versions ${version}, ${others.join(', ')}`)
  return version
}

/** Why the history does not tell what changed, or undefined. */
function faultOfHistory() {
  try {
    return git('rev-parse', '--is-shallow-repository') === 'true' ? 'it is shallow' : undefined
  } catch {
    return 'there is none'
  }
}

function check() {
  const fault = faultOfHistory()
  if (fault) return console.log(`changesets are not checked against the history: ${fault}`)
  const since = git('log', '-1', '--format=%H', '-G"version"', '--', 'packages/core/package.json')
  changeset('status', `--since=${since}`)
}

/** The public packages to which changesets give a version that they do not have yet. */
function packagesAhead() {
  const { mode, changesets: taken } = existsSync(join(root, '.changeset/pre.json'))
    ? readJson('.changeset/pre.json')
    : {}
  const isNew = (name) => mode !== 'pre' || !taken.includes(name)
  const texts = readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md'))
  // Changesets calls it a fault if there are none.
  if (mode !== 'exit' && !texts.some((name) => isNew(name.slice(0, -3)))) return []
  const folder = mkdtempSync(join(tmpdir(), 'braid-plan-'))
  try {
    const first = git('rev-list', '--max-parents=0', '--reverse', 'HEAD').split('\n')[0]
    changeset('status', `--since=${first}`, `--output=${join(folder, 'plan.json')}`)
    const { releases } = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'))
    const ours = new Set(publicPackages().map(({ manifest }) => manifest.name))
    return releases.filter(({ name, type }) => ours.has(name) && type !== 'none')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function plan() {
  const fault = faultOfHistory()
  if (fault) throw new Error(`a release is planned from the whole history, and ${fault}`)
  const isTagged = git('tag', '--list', `v${versionHere()}`) !== ''
  const next = packagesAhead().length > 0 ? 'version' : isTagged ? 'nothing' : 'publish'
  console.log(`plan=${next}`)
}

function version() {
  changeset('version')
  const written = git('ls-files', '--modified', '--others', '--exclude-standard').split('\n')
  const files = written.filter((file) => existsSync(join(root, file)))
  tool('@biomejs/biome/bin/biome', 'check', '--skip=suspicious/noImportCycles', ...files)
  tool('sherif/index.js')
  const to = versionHere()
  for (const { folder } of publicPackages()) {
    const log = readFileSync(join(root, folder, 'CHANGELOG.md'), 'utf8')
    if (!log.includes(`\n## ${to}\n`)) throw new Error(`the changelog of ${folder} lacks ${to}`)
  }
  console.error(`the next version is ${to}`)
}

/** The tarballs of a folder with their manifests: what another needs comes before it. */
function tarballsOf(folder) {
  const left = new Map()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
    // npm reads a relative path as a repository of GitHub.
    const tarball = resolve(folder, file)
    const manifest = JSON.parse(read('tar', ['-xzOf', tarball, 'package/package.json']))
    left.set(manifest.name, { tarball, ...manifest })
  }
  const ordered = []
  while (left.size > 0) {
    const isReady = ({ dependencies = {}, peerDependencies = {} }) =>
      !Object.keys({ ...dependencies, ...peerDependencies }).some((name) => left.has(name))
    const ready = [...left.values()].filter(isReady)
    if (ready.length === 0) throw new Error(`${[...left.keys()]} depend on each other`)
    for (const one of ready) left.delete(one.name)
    ordered.push(...ready)
  }
  return ordered
}

/** The tag by which users find a version: of a prerelease, of an older line than the latest, or the latest. */
function tagOf(wanted, latest = '0.0.0') {
  const parts = (text) => text.split('-')[0].split('.').map(Number)
  const [[major, minor, patch], newest] = [parts(wanted), parts(latest)]
  if (wanted.includes('-')) return /-([a-z]+)/.exec(wanted)?.[1] ?? 'next'
  const isOlder =
    major < newest[0] ||
    (major === newest[0] && (minor < newest[1] || (minor === newest[1] && patch < newest[2])))
  return isOlder ? `line-${major}.${minor}` : 'latest'
}

async function publish(folder) {
  const registry = read('npm', ['config', 'get', 'registry']).replace(/\/?$/, '/')
  const ask = async ({ name, ...one }) => {
    const answer = await fetch(registry + name.replace('/', '%2f'))
    if (!answer.ok && answer.status !== 404) throw new Error(`${registry}: ${answer.status}`)
    return { name, ...one, ...(answer.ok && { known: await answer.json() }) }
  }
  // All at once: a registry closes a connection that waits for an upload.
  const asked = await Promise.all(tarballsOf(folder).map(ask))
  for (const { name, version: wanted, tarball, known = {} } of asked) {
    if (known.versions?.[wanted]) {
      console.log(`${name}@${wanted} is there`)
      continue
    }
    const tag = tagOf(wanted, known['dist-tags']?.latest)
    const words = ['publish', tarball, '--access', 'public', '--tag', tag, '--loglevel', 'error']
    // Who publishes by hand is asked for a second factor.
    execFileSync('npm', words, { cwd: root, stdio: ['inherit', 'ignore', 'inherit'] })
    console.log(`${name}@${wanted} is published as ${tag}`)
  }
}

const STEPS = {
  ...{ check, plan, version, publish },
  pack: (folder) => {
    mkdirSync(folder, { recursive: true })
    pack(publicPackages(), resolve(folder))
  },
  // The same tag again is no change; of another commit it is refused.
  tag: () => git('push', 'origin', `HEAD:refs/tags/v${versionHere()}`),
}

const [step, folder, ...rest] = process.argv.slice(2)
const wantsFolder = step === 'pack' || step === 'publish'
if (!Object.hasOwn(STEPS, step ?? '') || wantsFolder !== (folder !== undefined) || rest.length) {
  throw new Error(`usage: node scripts/release.mjs ${Object.keys(STEPS).join('|')} [FOLDER]`)
}
await STEPS[step](folder)
