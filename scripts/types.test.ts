import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** What the root's own type check assumes of a package that it includes. */
const COVERED = {
  extends: '../../tsconfig.base.json',
  compilerOptions: { noEmit: true, types: ['node'] },
  include: ['src'],
}

it('checks every package in one program, or by name where a package has options of its own', () => {
  const whole = read('tsconfig.json')
  expect(whole.extends).toBe('./tsconfig.base.json')
  expect(whole.compilerOptions).toMatchObject(COVERED.compilerOptions)
  expect(whole.include).toEqual(['packages/*/src', 'apps/*/src'])
  const folders = ['packages', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => `${kind}/${name}`),
  )
  const packages = folders.filter((folder) => existsSync(join(root, folder, 'tsconfig.json')))
  const others = packages.filter(
    (folder) => JSON.stringify(read(`${folder}/tsconfig.json`)) !== JSON.stringify(COVERED),
  )
  expect(others).toEqual(whole.exclude)
  const { scripts } = read('package.json')
  for (const folder of others) expect(scripts.types).toContain(`tsc -p ${folder}`)
  // Sources of core know neither Node nor a browser, which its own build's options say.
  expect(scripts.types).toContain('tsc -p packages/core/tsconfig.build.json --noEmit')
})
