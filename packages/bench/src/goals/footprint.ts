import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import type { Goal, Measured } from './goal.js'

const MAX_KB = 60

/** G11: the size and dependencies of core. */
export const footprint: Goal = {
  id: 'G11',
  title: 'footprint',
  target: 'no runtime dependencies, ≤ 60 kB minified and compressed, no RPC needed',
  measure,
}

async function measure(): Promise<Measured> {
  const entry = createRequire(import.meta.url).resolve('@braid-swap/core')
  const manifest = JSON.parse(
    readFileSync(entry.replace(/(dist|src)\/index\.(js|ts)$/, 'package.json'), 'utf8'),
  ) as { dependencies?: Record<string, string> }
  const bundle = await rolldown({ input: entry })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const minified = output[0].code
  const dependencies = Object.keys(manifest.dependencies ?? {}).length
  const imports = output[0].imports.length
  const kB = (bytes: number) => bytes / 1000
  const compressed = kB(gzipSync(minified, { level: 9 }).length)
  return {
    measured: `${dependencies} dependencies, ${imports} imports, ${kB(minified.length).toFixed(1)} kB minified, ${compressed.toFixed(1)} kB compressed`,
    isReached: dependencies === 0 && imports === 0 && compressed <= MAX_KB,
  }
}
