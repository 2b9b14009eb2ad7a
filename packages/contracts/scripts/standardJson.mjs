/**
 * Writes the standard JSON input of solc for one contract, which block explorers take for the
 * verification of its source. The same sources give the same bytes.
 *
 *   node scripts/standardJson.mjs Router FILE
 *
 * The compiler's version is that of `solc` in package.json. Only the files that the contract imports
 * are in it. The constructor argument of the router is the wrapped native token.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONTRACTS, SETTINGS } from './compiler.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const IMPORT = /^import .*?"(.+?)";$/gm

/** The contract's file and all files that it imports, by path, in the order of the alphabet. */
function sourcesOf(path, found = {}) {
  if (found[path]) return found
  const content = readFileSync(`${root}${path}`, 'utf8')
  found[path] = { content }
  for (const [, target] of content.matchAll(IMPORT)) {
    sourcesOf(posix.join(posix.dirname(path), target), found)
  }
  return found
}

const [name, file] = process.argv.slice(2)
const path = Object.keys(CONTRACTS).find((key) => CONTRACTS[key] === name)
if (path === undefined || file === undefined) {
  throw new Error(`wanted a contract and a file; contracts: ${Object.values(CONTRACTS).join(', ')}`)
}
const sources = Object.fromEntries(
  Object.entries(sourcesOf(path)).sort(([a], [b]) => (a < b ? -1 : 1)),
)
const input = { language: 'Solidity', sources, settings: SETTINGS }
writeFileSync(file, `${JSON.stringify(input, null, 2)}\n`)
console.log(`${name} of ${path}: ${Object.keys(sources).length} sources, written to ${file}`)
