// What a bundler keeps of the libraries: a page loads only the code that it uses.

import { readFileSync } from 'node:fs'
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
          const [, name, door = '.'] = /^@braid-swap\/(\w+)(?:\/(\w+))?$/.exec(id) ?? []
          if (name === undefined) return null
          const { exports } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
          return join(packages, name, exports[door === '.' ? door : `./${door}`].src)
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
    import { uniswapV2 } from '@braid-swap/core/families'
    console.log(uniswapV2.getAmountOut, uniswapV2.toCurve)`)
  const families = files.flatMap((id) => /\/pools\/(\w+)\/\w+\.ts$/.exec(id)?.[1] ?? [])
  expect([...new Set(families)]).toEqual(['uniswapV2'])
})

it('the checks of the client bring no maths of pools and no library, in 7.5 kB', async () => {
  const { code, files } = await bundle(`
    import { verifyApproval, verifyCalls, verifySwap } from '@braid-swap/client'
    console.log(verifyApproval, verifyCalls, verifySwap)`)
  const strange = /node_modules|\/solver\/|\/pools\/\w+\/(?!swap\.ts)/
  expect(files.filter((id) => strange.test(id))).toEqual([])
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(7_500)
})

it.each([
  ['verifySwap', 7, "import { verifySwap as used } from '@braid-swap/client'"],
  [
    'a quote',
    57.4,
    "import { quote, buildGraph, parseSnapshot } from '@braid-swap/core'; const used = [quote, buildGraph, parseSnapshot]",
  ],
  ['createBraid', 15, "import { createBraid as used } from '@braid-swap/client'"],
  // With the hash of the router's code, not its bytecode.
  ['verifyRouter', 5.6, "import { verifyRouter as used } from '@braid-swap/client'"],
])('%s has at most %f kB, gzipped', async (_, most, program) => {
  const { code } = await bundle(`${program}; console.log(used)`)
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(most * 1_000)
})
