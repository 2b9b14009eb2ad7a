/**
 * What a bundler leaves of core: the size of all of it, and which families remain if a program uses one.
 * The budgets are limits of minified code before compression; raise one only with what it buys.
 */
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const core = join(resolve(import.meta.dirname, '..'), 'packages/core/src')
const KIB = 1024

/** The minified size of a program over core in bytes, and the families whose code is in it. */
async function bundleOf(program: string) {
  const entry = 'program'
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    treeshake: { moduleSideEffects: false },
    resolve: { extensionAlias: { '.js': ['.ts'] } },
    plugins: [
      {
        name: 'program',
        resolveId: (id) => {
          if (id === entry) return id
          return id === '@braid-swap/core' ? join(core, 'index.ts') : null
        },
        load: (id) => (id === entry ? { code: program, moduleSideEffects: true } : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const [{ code, modules }] = output
  const used = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0)
  const families = used.flatMap(([id]) => /\/pools\/(\w+)\/\w+\.ts$/.exec(id)?.[1] ?? [])
  return { size: code.length, families: [...new Set(families)].sort() }
}

it('core as a whole is below 224 KiB', async () => {
  const { size, families } = await bundleOf(`export * from '@braid-swap/core'`)
  expect(size).toBeLessThan(224 * KIB)
  expect(families.length).toBeGreaterThan(10)
})

it('the maths of one family is below 3 KiB, without another family', async () => {
  const { size, families } = await bundleOf(`
    import { uniswapV2 } from '@braid-swap/core'
    console.log(uniswapV2.getAmountOut, uniswapV2.toCurve)`)
  expect(families).toEqual(['uniswapV2'])
  expect(size).toBeLessThan(3 * KIB)
})

it('a program that quotes and encodes with one family is below 120 KiB, without another', async () => {
  const { size, families } = await bundleOf(`
    import { quote, uniswapV2, withFamilies, wrap } from '@braid-swap/core'
    const market = withFamilies({ uniswapV2, wrap })
    const graph = market.buildGraph(market.parseSnapshot(text))
    console.log(market.routerCallOf(quote(graph, order), terms))`)
  expect(families).toEqual(['uniswapV2', 'wrap'])
  expect(size).toBeLessThan(120 * KIB)
})
