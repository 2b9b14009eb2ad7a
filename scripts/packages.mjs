/**
 * Packs every public package as a release would, and checks the tarballs: what is in them (publint, Are
 * the types wrong?), that nothing is packed that only this repository needs, and that provenance finds
 * its repository. The programs of scripts/programs are compiled beside the unpacked tarballs and run. It needs a build.
 * Programs of ours take as long to pack as all libraries together, so they are packed for a release only:
 * `node scripts/packages.mjs [--all]`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { pack, publicPackages, root } from './pack.mjs'
import { compile, runPrograms, startDemo, unpack } from './programs.mjs'

const isAll = process.argv.includes('--all')

/** The packages that are checked: programs only if asked. */
const published = publicPackages().filter(({ manifest }) => isAll || !manifest.bin)

/** Paths that no package may have: tests, and what only tests of this repository import. */
const UNWANTED = /\.(test|e2e|fuzz)\.|(^|\/)(tests|testing)\/|\.tsbuildinfo$/
/** Arrays over a kind of buffer, which compilers infer since TypeScript 5.7 and those before refuse. */
const OWN_ARRAYS = /\b\w+Array<ArrayBuffer/
/** Packages with third-party code inside. */
const BUNDLED = new Set(['@braid-swap/api', '@braid-swap/demo', '@braid-swap/page', 'braid'])
/** Types are for ES modules: these packages have no CommonJS, and say so. */
const ACCEPTED = new Set(['CJSResolvesToESM', 'NoResolution'])

/** Packages whose own dependencies count downloads when they are installed. */
const COUNTED = ['swagger-ui-dist', '@scarf/scarf']

/** What is wrong with the manifest as it is in the tarball. */
function faultsOfManifest(
  { repository, homepage, bugs, exports: entries = {}, ...manifest },
  folder,
) {
  const faults = []
  if (repository?.directory !== folder) faults.push(`repository.directory is not ${folder}`)
  if (!homepage || !bugs?.url) faults.push('homepage or bugs is missing')
  if (JSON.stringify(entries).includes('"src"')) faults.push('exports has the condition src')
  for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
    if (name.startsWith('@braid-swap/') && !range.startsWith('^')) {
      faults.push(`depends on exactly ${name} ${range}`)
    }
  }
  const scripts = Object.keys(manifest.scripts ?? {})
  for (const name of COUNTED) {
    if (manifest.dependencies?.[name]) faults.push(`${name} counts downloads when it is installed`)
  }
  const runs = scripts.filter((name) => /^(pre|post)?(install|prepare)$/.test(name))
  if (runs.length > 0) faults.push(`runs ${runs.join(', ')} when it is installed`)
  return faults
}

async function faultsOf({ folder, manifest: { name } }, tarball) {
  const data = readFileSync(tarball)
  const types = createPackageFromTarballData(new Uint8Array(data))
  const within = (path) => path.replace(/^\/node_modules\/(@[^/]+\/)?[^/]+\//, '')
  const paths = types.listFiles().map(within)
  const base = `/node_modules/${name}`
  const packed = JSON.parse(types.readFile(`${base}/package.json`))
  const unwanted = paths.filter((path) => UNWANTED.test(path))
  const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const linted = await publint({ pack: { tarball: bytes }, strict: true })
  // Programs have entries that other packages of this repository import, and nobody else.
  const checked = packed.exports?.['.'] && !packed.bin ? await checkPackage(types) : {}
  const untyped = (checked.problems ?? []).filter(
    ({ kind, resolutionKind }) => !(ACCEPTED.has(kind) && isOld(resolutionKind)),
  )
  return [
    ...faultsOfManifest(packed, folder),
    ...unwanted.slice(0, 5).map((path) => `packs ${path}`),
    ...paths
      .filter(
        (path) => path.endsWith('.d.ts') && OWN_ARRAYS.test(types.readFile(`${base}/${path}`)),
      )
      .map((path) => `${path} has types that only TypeScript 5.7 knows`),
    ...(paths.includes('LICENSE') ? [] : ['has no LICENSE']),
    ...(BUNDLED.has(name) && !paths.some((path) => path.endsWith('THIRD_PARTY_LICENSES.txt'))
      ? ['has third-party code without its licences']
      : []),
    ...(linted.messages ?? []).map((message) => `publint: ${formatMessage(message, linted.pkg)}`),
    ...untyped.map((problem) => `types: ${JSON.stringify(problem)}`),
  ]
}

/** How Node.js before ES modules looks entries up, and how CommonJS does. */
function isOld(resolution) {
  return resolution === undefined || resolution === 'node10' || resolution === 'node16-cjs'
}

/** Compiles and runs the programs of developers outside in a folder, against the demo of this workspace. */
async function tryPrograms(tarballs, cwd) {
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  unpack(tarballs, cwd)
  compile(cwd, join(root, 'node_modules/typescript'))
  const demo = await startDemo(cwd, [process.execPath, join(root, 'apps/demo/dist/main.js')])
  try {
    for (const line of runPrograms(cwd)) console.log(line)
  } finally {
    await demo.stop()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'braid-packages-'))
try {
  const tarballs = pack(published, folder, ['--pack-gzip-level', '0'])
  let count = 0
  for (const one of published) {
    for (const fault of await faultsOf(one, tarballs[one.manifest.name])) {
      count++
      console.error(`${one.manifest.name}: ${fault}`)
    }
  }
  console.log(`${published.length} packages, ${count} faults`)
  process.exitCode = count === 0 ? 0 : 1
  await tryPrograms(tarballs, join(folder, 'outside'))
} finally {
  rmSync(folder, { recursive: true, maxRetries: 20 })
}
