/**
 * The solver without one of its parts. Input: the name of a function of core's solver, and what it
 * returns instead. Output: core as a module of its own, bundled with that function replaced, or
 * `undefined` if the solver has no such function. The solver needs no switch for it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** The functions of core that the ablation calls. */
export type Core = Pick<typeof import('@braid-swap/core'), 'buildGraph' | 'prepare' | 'solve'>

/** A part of the solver that can be left out. */
export type Part = {
  /** What the part does, for the table. */
  readonly name: string
  /** The function that does it. */
  readonly function: string
  /** An expression for what it returns instead, of the arguments `a`. */
  readonly instead: string
}

/** The entry of core that this package uses. */
export const coreEntry = (): string => createRequire(import.meta.url).resolve('@braid-swap/core')

/** Core without a part, or the whole of it; `undefined` if the part is not in the solver. */
export async function loadCore(part?: Part): Promise<Core | undefined> {
  let isFound = false
  const replaceIn = (code: string, id: string) => {
    const replaced = part && id.includes('/solver/') ? withoutPart(code, part) : undefined
    if (replaced !== undefined) isFound = true
    return replaced
  }
  const bundle = await rolldown({
    input: coreEntry(),
    plugins: [{ name: 'ablate', transform: (code, id) => replaceIn(code, id) }],
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  if (part && !isFound) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'braid-ablation-'))
  const file = join(folder, 'core.mjs')
  try {
    writeFileSync(file, output[0].code)
    return (await import(pathToFileURL(file).href)) as Core
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The source with a function replaced; `undefined` if it does not define the function. */
export function withoutPart(code: string, { function: name, instead }: Part): string | undefined {
  const definition = new RegExp(`(^|\\n)(export )?function(\\*?) ${name}\\(`)
  const found = definition.exec(code)
  if (!found) return undefined
  const [, start = '', exported = '', star = ''] = found
  const stub = `${exported}function ${name}(...a) { return ${instead} }`
  return code.replace(definition, () => `${start}${stub}\nfunction${star} ${name}LeftOut(`)
}
