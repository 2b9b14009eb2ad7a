// Folders of a package are floors: none imports another that imports it, also not through others. Of the files beside the
// folders, those that folders import are the ground, which imports none of them, and the others import the folders.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const SOURCE = /\.tsx?$/
/** Tests stand above all folders, and what is generated below them. */
const TESTS = /\.(test|e2e|fuzz)\.tsx?$|(^|\/)(testing|tests|generated)\//
const IMPORT = /\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g

/** What each folder imports; a file beside the folders is one too. */
function importsOf(source: string): ReadonlyMap<string, ReadonlySet<string>> {
  const placeOf = (file: string) =>
    dirname(file) === '.' ? file.replace(/\.(js|tsx?)$/, '') : dirname(file)
  const imports = new Map<string, Set<string>>()
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!SOURCE.test(file) || TESTS.test(file)) continue
    const from = placeOf(file)
    const named = imports.get(from) ?? new Set()
    imports.set(from, named)
    for (const [, name, onDemand] of readFileSync(join(source, file), 'utf8').matchAll(IMPORT)) {
      const to = placeOf(join(dirname(file), name ?? onDemand ?? ''))
      if (from !== to) named.add(to)
    }
  }
  return imports
}

/** Takes away what imports nothing that is left, floor by floor: in the rest are the circles. */
function circlesOf(source: string): readonly string[] {
  const left = new Map(importsOf(source))
  for (;;) {
    const floor = [...left].filter(([, named]) => ![...named].some((place) => left.has(place)))
    if (floor.length === 0) return [...left.keys()]
    for (const [place] of floor) left.delete(place)
  }
}

/** All of e2e is tests. In core the certificate and the solver still need each other by the files beside them. */
const UNCHECKED = ['packages/core', 'packages/e2e']

const places = ['apps', 'packages'].flatMap((kind) =>
  readdirSync(join(root, kind))
    .map((name) => `${kind}/${name}`)
    .filter((place) => existsSync(join(root, place, 'src'))),
)

it.each(places.filter((place) => !UNCHECKED.includes(place)))(
  'the folders of %s are floors',
  (place) => expect(circlesOf(join(root, place, 'src'))).toEqual([]),
)
