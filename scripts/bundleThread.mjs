/**
 * Runs before the tests: writes the program of the API's search threads from the sources, because Node starts no
 * thread from TypeScript and what `pnpm build` wrote may be older.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { rolldown } from 'rolldown'

const api = resolve(import.meta.dirname, '../apps/api')

export async function setup() {
  const bundle = await rolldown({
    ...{ input: `${api}/src/search/thread.ts`, platform: 'node', logLevel: 'warn' },
    resolve: { conditionNames: ['src', 'node', 'import'] },
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const [{ code }, ...others] = output
  if (others.length > 0) throw new Error('the program of a search thread is one file')
  const path = `${api}/dist/bundle/thread.js`
  if (readOrNothing(path) === code) return
  mkdirSync(resolve(path, '..'), { recursive: true })
  // Whatever starts a thread meanwhile reads the old file whole.
  writeFileSync(`${path}.${process.pid}`, code)
  renameSync(`${path}.${process.pid}`, path)
}

function readOrNothing(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
