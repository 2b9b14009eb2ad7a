// What a bundler keeps of the libraries: a page loads only the code that it uses.

import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const packages = join(resolve(import.meta.dirname, '..'), 'packages')

/** Bundles a program over the libraries, and returns the code and the files that are left in it. */
async function bundle(program: string) {
  const entry = 'program'
  const built = await rolldown({
    input: entry,
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    plugins: [
      {
        name: 'program',
        resolveId: (id) => {
          if (id === entry) return id
          const [, name] = /^@braid-swap\/(\w+)$/.exec(id) ?? []
          return name === undefined ? null : join(packages, name, 'src/index.ts')
        },
        load: (id) => (id === entry ? { code: program, moduleSideEffects: true } : null),
      },
    ],
  })
  const { output } = await built.generate({ format: 'esm', minify: true })
  await built.close()
  const [{ code, modules }] = output
  const used = Object.entries(modules).filter(([, module]) => module.renderedLength > 0)
  return { code, files: used.map(([id]) => id) }
}

it('the maths of one family brings no other family', async () => {
  const { files } = await bundle(`
    import { uniswapV2 } from '@braid-swap/core'
    console.log(uniswapV2.getAmountOut, uniswapV2.toCurve)`)
  const families = files.flatMap((id) => /\/pools\/(\w+)\/\w+\.ts$/.exec(id)?.[1] ?? [])
  expect([...new Set(families)]).toEqual(['uniswapV2'])
})

it('the checks of the client bring no maths of pools and no library, in 7.6 kB', async () => {
  const { code, files } = await bundle(`
    import { verifyApproval, verifyCalls, verifySwap } from '@braid-swap/client'
    console.log(verifyApproval, verifyCalls, verifySwap)`)
  const strange = /node_modules|\/solver\/|\/pools\/\w+\/(?!swap\.ts)/
  expect(files.filter((id) => strange.test(id))).toEqual([])
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(7_600)
})
