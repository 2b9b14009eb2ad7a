// Every page is found from docs/README.md, and no page links to a file that does not exist.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((page) => page !== '' && existsSync(join(root, page)))

/** Returns the files that a page links to or names in code by a path from the root. */
function filesNamedIn(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link!)
  const local = links.filter((link) => !/^[a-z]+:/.test(link))
  const spans = [...text.matchAll(/`((?:packages|apps|docs)\/[\w./-]+\.\w+)`/g)]
  return [
    ...local.map((link) => normalize(join(dirname(page), link))),
    ...spans.map(([, path]) => path!),
  ]
}

it.each(pages)('%s names only files that exist', (page) => {
  expect(filesNamedIn(page).filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('docs/README.md leads to every page of docs', () => {
  const mapped = new Set(filesNamedIn('docs/README.md'))
  const own = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md')
  expect(own.filter((page) => !mapped.has(page))).toEqual([])
})
