/**
 * `node scripts/rehearse.mjs [--short]`: a release, and a second one over it, on a registry of this machine.
 *
 * Publishes the packages as they are packed, installs them from there in empty folders beside the oldest and the
 * newest of what they may meet, and runs programs that a user would write. Then a scratch clone makes the next
 * version by changesets, with a change in core and one in the contracts, and that is installed over the first.
 * `--short` leaves out the oldest and the build of the second version. Needs a build and the
 * registry of npm.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack, publicPackages, root } from './pack.mjs'

const isShort = process.argv.includes('--short')
const folder = mkdtempSync(join(tmpdir(), 'braid-release-'))
const names = publicPackages().map(({ manifest }) => manifest.name)
const LIBRARIES = names.filter((name) => /(core|chain|client|contracts|draw|feed)$/.test(name))
/** What an install of `braid` may weigh. */
const MOST_MEGABYTES = 15

/** What an app has beside the libraries: the newest, and the oldest that their ranges allow. */
const NEWEST = {
  viem: '2',
  react: '19',
  '@types/react': '19',
  '@types/node': '24',
  typescript: 'latest',
}
const OLDEST = {
  viem: '2.57.1',
  react: '18.0.0',
  '@types/react': '18.3.0',
  '@types/node': '20.19.0',
  typescript: '5.7.3',
}

const say = (text) =>
  console.log(`${(performance.now() / 1_000).toFixed(0).padStart(4)} s  ${text}`)

/**
 * The registry that is played. It is installed here, because it has two hundred packages and nothing else needs it; the
 * override is a version for a tag that some registries do not serve.
 */
const REGISTRY = {
  dependencies: { verdaccio: '6.8.0' },
  overrides: { 'verdaccio-audit': { 'node-fetch': '2.7.0' } },
}

/** Starts a registry in which our packages are only its own; all others come from npm's. */
async function startRegistry() {
  const manifest = { private: true, ...REGISTRY }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const quietly = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', ...quietly], { cwd: folder, stdio: 'inherit' })
  const { runServer } = createRequire(join(folder, 'package.json'))('verdaccio')
  say('a registry is installed')
  const access = { access: '$all', publish: '$anonymous' }
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  const server = await runServer({
    self_path: folder,
    storage: join(folder, 'registry'),
    uplinks: { npm: { url: upstream, maxage: '60m' } },
    packages: {
      '@braid-swap/*': access,
      braid: access,
      '**': { access: '$all', proxy: 'npm' },
    },
    log: { type: 'stdout', level: 'fatal' },
    max_body_size: '50mb',
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}

/** Runs a program with our registry, without blocking this process, in which the registry answers. */
async function run(program, words, cwd) {
  const child = spawn(program, words, {
    cwd,
    env: {
      ...process.env,
      npm_config_registry: registry.url,
      npm_config_userconfig: join(folder, 'npmrc'),
      npm_config_cache: join(folder, 'cache'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${code}`)
}

const npm = (words, cwd) =>
  run('npm', [...words, '--no-audit', '--no-fund', '--loglevel', 'error'], cwd)

/** Publishes packed packages as the workflow does, to our registry, which takes anybody's. */
async function publish(checkout, destination) {
  mkdirSync(destination)
  const packages = publicPackages(checkout)
  pack(packages, destination, [], checkout)
  writeFileSync(join(folder, 'npmrc'), `//${new URL(registry.url).host}/:_authToken=nobody\n`)
  await run(process.execPath, [join(root, 'scripts/publish.mjs'), destination], folder)
  const [{ manifest }] = packages
  say(`${packages.length} packages of ${manifest.version} are published`)
  return manifest.version
}

/** Installs packages in a new folder; gives it, with the megabytes and the seconds that it took. */
async function install(name, dependencies) {
  const cwd = join(folder, name)
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const wanted = Object.entries(dependencies).map(([one, range]) => `${one}@${range}`)
  const start = performance.now()
  await npm(['install', ...wanted], cwd)
  const seconds = (performance.now() - start) / 1_000
  const megabytes = sizeOf(join(cwd, 'node_modules')) / 1e6
  say(`${name}: installed ${megabytes.toFixed(1)} MB in ${seconds.toFixed(0)} s`)
  return { cwd, megabytes }
}

function sizeOf(path) {
  if (!statSync(path).isDirectory()) return statSync(path).size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/**
 * Compiles the programs of scripts/rehearsal in a folder, strictly and with the types of the packages themselves, runs
 * them, and holds them to one core of the wanted version.
 */
function runPrograms(cwd, version) {
  cpSync(join(root, 'scripts/rehearsal'), cwd, { recursive: true })
  copyFileSync(join(root, 'packages/vectors/snapshots/999-79.json'), join(cwd, 'market.json'))
  execFileSync('npx', ['tsc', '--project', '.'], { cwd, stdio: 'inherit' })
  const output = execFileSync(process.execPath, ['built/bot.js'], { cwd, encoding: 'utf8' })
  const cores = findCores(join(cwd, 'node_modules'))
  const versions = cores.map((path) => JSON.parse(readFileSync(path, 'utf8')).version)
  if (`${versions}` !== version) throw new Error(`core is ${versions}, not ${version}`)
  say(`core ${version}: ${output.trim()}`)
}

/** The manifests of all copies of core in a folder of modules. */
function findCores(modules) {
  const files = readdirSync(modules, { recursive: true })
  return files
    .filter((path) => /@braid-swap[\\/]core[\\/]package\.json$/.test(path))
    .map((path) => join(modules, path))
}

/** The next version, as the workflow makes it in a clone, with a change in core and one in the contracts. */
function nextVersion() {
  const clone = join(folder, 'clone')
  const make = (...words) =>
    execFileSync('pnpm', words, { cwd: clone, stdio: ['ignore', 'ignore', 'inherit'] })
  execFileSync('git', ['clone', '--quiet', root, clone])
  for (const kind of ['packages', 'apps']) {
    for (const name of readdirSync(join(root, kind))) {
      const built = join(kind, name, 'dist')
      if (existsSync(join(root, built))) {
        cpSync(join(root, built), join(clone, built), { recursive: true })
      }
    }
  }
  make('install', '--frozen-lockfile', '--prefer-offline', '--silent')
  for (const [name, what] of [
    ['core', 'Quotes are as before.'],
    ['contracts', 'The router is as before.'],
  ]) {
    writeFileSync(
      join(clone, `.changeset/${name}.md`),
      `---\n"@braid-swap/${name}": patch\n---\n\n${what}\n`,
    )
    appendFileSync(join(clone, `packages/${name}/src/index.ts`), '\n// The next version.\n')
  }
  make('changeset', 'version')
  if (!isShort) make('build')
  make('check')
  return clone
}

const registry = await startRegistry()
try {
  const first = await publish(root, join(folder, 'first'))
  const libraries = Object.fromEntries(LIBRARIES.map((name) => [name, 'latest']))
  const apps = isShort ? { newest: NEWEST } : { newest: NEWEST, oldest: OLDEST }
  const installed = []
  for (const [name, beside] of Object.entries(apps)) {
    const { cwd } = await install(name, { ...libraries, ...beside })
    runPrograms(cwd, first)
    installed.push(cwd)
  }
  const terminal = await install('terminal', { braid: 'latest' })
  if (terminal.megabytes > MOST_MEGABYTES) throw new Error(`braid weighs ${terminal.megabytes} MB`)
  execFileSync('npx', ['braid', 'quote', '--help'], { cwd: terminal.cwd, stdio: 'ignore' })

  const next = await publish(nextVersion(), join(folder, 'next'))
  for (const cwd of installed) {
    await npm(['install', '@braid-swap/core@latest'], cwd)
    runPrograms(cwd, next)
    await npm(['update'], cwd)
    runPrograms(cwd, next)
  }
} finally {
  registry.close()
  rmSync(folder, { recursive: true, maxRetries: 20 })
}
