import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/README.md',
  'docs/architecture.md',
  'docs/walkthrough.md',
  'docs/solver.md',
  'docs/adding-a-pool-family.md',
]

/** Paths in code spans that start at the root; `<family>` stands for any family. */
function pathsIn(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const spans = [...text.matchAll(/`((?:packages|apps|docs|\.ci)\/[\w./<>-]+)`/g)]
  return spans.map(([, path]) =>
    path!.replace('<family>', 'uniswapV3').replace('<Family>', 'UniswapV3'),
  )
}

/** Relative links of a page, without their fragments. */
function linksIn(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link!)
  return links.filter((link) => !/^[a-z]+:/.test(link)).map((link) => join(dirname(page), link))
}

describe.each(pages)('%s', (page) => {
  it('names only files that exist', () => {
    const missing = [...pathsIn(page), ...linksIn(page)].filter(
      (path) => !existsSync(join(root, path)),
    )
    expect(missing).toEqual([])
  })
})

const packages = ['packages', 'apps'].flatMap((kind) =>
  readdirSync(join(root, kind)).map((name) => `${kind}/${name}`),
)

/** The source files of a package, as paths that start at the root. */
function sourcesOf(folder: string): readonly string[] {
  return ['src', 'scripts', 'test', 'examples'].flatMap((part) => {
    const place = `${folder}/${part}`
    if (!existsSync(join(root, place))) return []
    const files = readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    return files.map((file) => `${place}/${file.replaceAll('\\', '/')}`)
  })
}

const sources = packages.flatMap(sourcesOf)

/** File names in code spans of a page for which no source file has that name or that end of a path. */
function unknownFilesIn(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const spans = [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|sol))`/g)].map(([, name]) => name!)
  return spans.filter((name) => !sources.some((path) => `/${path}`.endsWith(`/${name}`)))
}

it.each([
  ...['README.md', 'CONTRIBUTING.md'],
  ...readdirSync(join(root, 'docs')).flatMap((name) =>
    name.endsWith('.md') ? `docs/${name}` : [],
  ),
  ...packages.map((folder) => `${folder}/README.md`).filter((page) => existsSync(join(root, page))),
])('%s names only source files that exist', (page) => {
  expect(unknownFilesIn(page)).toEqual([])
})

it('the map of pages leads to every page of docs', () => {
  const mapped = new Set(linksIn('docs/README.md'))
  const pages = readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)
  expect(pages.filter((page) => page !== 'docs/README.md' && !mapped.has(page))).toEqual([
    'docs/examples',
  ])
})

describe('the walkthrough', () => {
  it('has the lengths of its files, to within a tenth', () => {
    const text = readFileSync(join(root, 'docs/walkthrough.md'), 'utf8')
    const [, said] = /The files named on this page have about ([\d,]+) lines/.exec(text)!
    const files = new Set(pathsIn('docs/walkthrough.md').filter((path) => /\.\w+$/.test(path)))
    const lines = [...files].map(
      (path) => readFileSync(join(root, path), 'utf8').split('\n').length,
    )
    const total = lines.reduce((sum, count) => sum + count, 0)
    const claimed = Number(said!.replaceAll(',', ''))
    expect(Math.abs(total - claimed)).toBeLessThan(claimed / 10)
  })
})

describe('the list of questions in architecture.md', () => {
  it('has at least twenty, each answered by a path', () => {
    const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
    const table = text.slice(text.indexOf('## Where is …?'))
    const rows = table.split('\n').filter((line) => /^\| Where/.test(line))
    expect(rows.length).toBeGreaterThanOrEqual(20)
    for (const row of rows) expect(row).toMatch(/`(packages|apps)\/[^`]+`/)
  })
})
