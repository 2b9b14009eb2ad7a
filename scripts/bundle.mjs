/**
 * Writes a file from a program and most of what it imports, because Node.js spends about a
 * millisecond on each of a thousand modules: a start takes a third of the time. Run in a package:
 *
 *   node ../../scripts/bundle.mjs dist/main.js dist/bundle/main.js
 *
 * What the package depends on by name stays outside and is imported as before, except the packages of
 * this repository and those in INSIDE. A module that is imported on demand becomes a file of its own,
 * so that it still costs nothing before. The licences of what is inside are written beside them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { licencesOf } from './licences.mjs'

/** Packages of many modules without files of their own to find at run time. */
const INSIDE = new Set(['viem', 'zod'])

const [input, output] = process.argv.slice(2)
const { dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
const outside = Object.keys(dependencies).filter(
  (name) => !(name.startsWith('@braid-swap/') || INSIDE.has(name)),
)
const isOutside = (id) => outside.some((name) => id === name || id.startsWith(`${name}/`))

const bundle = await rolldown({ input, platform: 'node', external: isOutside, logLevel: 'warn' })
const { output: chunks } = await bundle.write({
  ...{ dir: dirname(output), format: 'esm', entryFileNames: basename(output) },
  chunkFileNames: `${basename(output, '.js')}-[name].js`,
})
await bundle.close()

writeFileSync(
  resolve(dirname(output), 'THIRD_PARTY_LICENSES.txt'),
  licencesOf(chunks.flatMap(({ moduleIds = [] }) => moduleIds)),
)
