// A page that uses one family of pools does not load the code of the others.

import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const core = join(resolve(import.meta.dirname, '..'), 'packages/core/src')

/** Returns the families whose code a bundler keeps for a program over core. */
async function bundledFamilies(program: string) {
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
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const used = Object.entries(output[0].modules).filter(([, module]) => module.renderedLength > 0)
  const families = used.flatMap(([id]) => /\/pools\/(\w+)\/\w+\.ts$/.exec(id)?.[1] ?? [])
  return [...new Set(families)].sort()
}

it('the maths of one family brings no other family', async () => {
  const program = `
    import { uniswapV2 } from '@braid-swap/core'
    console.log(uniswapV2.getAmountOut, uniswapV2.toCurve)`
  expect(await bundledFamilies(program)).toEqual(['uniswapV2'])
})
