import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A file of the page, read at the start. */
export type PageFile = {
  readonly extension: string
  readonly body: Buffer
  /** Absent if it is not smaller. */
  readonly gzipped?: Buffer
}

/** The page's files by URL path; `/` is its document. */
export type Page = ReadonlyMap<string, PageFile>

/** The built page; undefined if it is not built. */
export function openPage(): Page | undefined {
  const manifest = createRequire(import.meta.url).resolve('@braid-swap/page/package.json')
  const folder = join(dirname(manifest), 'dist')
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry): [string, PageFile] => {
      const file = join(entry.parentPath, entry.name)
      const path = file.slice(folder.length).replaceAll('\\', '/')
      return [path === '/index.html' ? '/' : path, readPageFile(file)]
    })
  return new Map(files)
}

function readPageFile(file: string): PageFile {
  const body = readFileSync(file)
  const gzipped = gzipSync(body)
  return {
    ...{ body, extension: extname(file) },
    ...(gzipped.length < body.length && { gzipped }),
  }
}
