/**
 * `node scripts/sbom.mjs --out FOLDER`: the tarballs of a release, and its bill of materials in CycloneDX.
 * Packs every public package, installs the tarballs into an empty folder, as a user would, and lists what npm
 * brought. The tarballs are saved beside the list, because they are what is published and attested. Fails if one of
 * ours is missing, or if a part has no licence or nothing to check its download by.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pack, publicPackages } from './pack.mjs'

const { values } = parseArgs({
  options: { out: { type: 'string' } },
})
if (values.out === undefined) throw new Error('--out names a folder')
const out = resolve(values.out)
const packages = publicPackages()

/** The bill of materials of the tarballs installed in an empty folder. */
function listParts() {
  const folder = mkdtempSync(join(tmpdir(), 'braid-sbom-'))
  try {
    const version = packages.find(({ manifest }) => manifest.name === 'braid').manifest.version
    const manifest = { name: 'braid-release', version, private: true }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    const tarballs = readdirSync(out).filter((name) => name.endsWith('.tgz'))
    const options = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts']
    execFileSync('npm', ['install', ...options, ...tarballs.map((name) => join(out, name))], {
      ...{ cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
    })
    const list = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev']
    const text = execFileSync('npm', list, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 })
    return JSON.parse(text)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What the list lacks. */
function faultsOf({ components }) {
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const missing = packages.flatMap(({ manifest: { name, version } }) =>
    listed.has(`${name}@${version}`) ? [] : [`${name}@${version} is missing`],
  )
  const unclear = components.flatMap(({ name, version, licenses = [], hashes = [] }) => [
    ...(licenses.length > 0 ? [] : [`${name}@${version} has no licence`]),
    ...(hashes.length > 0 ? [] : [`${name}@${version} has no hash`]),
  ])
  return [...missing, ...unclear]
}

mkdirSync(out, { recursive: true })
pack(packages, out)
const parts = listParts()
const file = join(out, 'braid.cdx.json')
writeFileSync(file, `${JSON.stringify(parts, null, 2)}\n`)
const faults = faultsOf(parts)
for (const fault of faults) console.error(fault)
const bytes = readFileSync(file).length
console.log(`${parts.components.length} parts in ${file} (${bytes} bytes), ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
