import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { families } from './pools/index.js'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/\.(test|fuzz)\.ts$|^testing\//.test(path),
)

/** The compiler's error codes for `code` in a source file of core. */
function compile(code: string): readonly number[] {
  const configPath = join(root, 'tsconfig.build.json')
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile(configPath, ts.sys.readFile).config,
    ts.sys,
    root,
  )
  const fileName = join(root, 'src/impure.ts')
  const host = ts.createCompilerHost(config.options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (path) => path === fileName || fileExists.call(host, path)
  host.getSourceFile = (path, ...rest) =>
    path === fileName
      ? ts.createSourceFile(path, code, ts.ScriptTarget.ES2023)
      : getSourceFile.call(host, path, ...rest)
  const program = ts.createProgram([fileName], { ...config.options, noEmit: true }, host)
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => diagnostic.code)
}

describe('core is pure', () => {
  it('compiles plain code', () => {
    expect(compile('export const one: bigint = 1n')).toEqual([])
  })

  for (const impure of [
    "fetch('http://localhost')",
    "console.log('hello')",
    'process.exit(1)',
    'setTimeout(() => {}, 1)',
    "import 'node:fs'",
    'performance.now()',
  ]) {
    it(`refuses to compile ${impure}`, () => {
      expect(compile(`${impure}\nexport {}`)).not.toEqual([])
    })
  }

  it('has no dependencies', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(manifest.dependencies ?? {}).toEqual({})
    expect(manifest.peerDependencies ?? {}).toEqual({})
  })

  for (const path of sources) {
    it(`${path} has no clock, no randomness and names no family outside pools/`, () => {
      const text = readFileSync(join(root, 'src', path), 'utf8')
      expect(text).not.toMatch(/\bDate\b|Math\.random|Intl\./)
      const imported = [...text.matchAll(/from '([^']+)'/g)].map((match) => match[1])
      for (const from of imported) expect(from).toMatch(/^\.{1,2}\//)
      if (path.startsWith('pools/') || path === 'index.ts') return
      for (const family of Object.keys(families)) expect(text).not.toContain(`'${family}'`)
    })
  }
})
