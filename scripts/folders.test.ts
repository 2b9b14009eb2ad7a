// Folders of an app lie above each other: of two folders, at most one imports the other. The files beside the folders
// join them, and hold what all of them share.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const SOURCE = /\.tsx?$/
/** Tests stand above all folders. */
const TESTS = /\.(test|e2e|fuzz)\.tsx?$|(^|\/)(testing|tests)\//
const IMPORT = /\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g

/** The pairs of folders that import each other. */
function pairsOf(source: string): readonly string[] {
  const imports = new Set<string>()
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!SOURCE.test(file) || TESTS.test(file)) continue
    const from = dirname(file)
    for (const [, name, onDemand] of readFileSync(join(source, file), 'utf8').matchAll(IMPORT)) {
      const to = join(from, dirname(name ?? onDemand ?? ''))
      if (from !== '.' && to !== '.' && from !== to) imports.add(`${from} ${to}`)
    }
  }
  return [...imports].filter((pair) => {
    const [from = '', to = ''] = pair.split(' ')
    return from < to && imports.has(`${to} ${from}`)
  })
}

it.each(['apps/api', 'apps/cli', 'apps/page', 'packages/bench', 'packages/devnet'])(
  'no two folders of %s import each other',
  (place) => expect(pairsOf(join(root, place, 'src'))).toEqual([]),
)
