import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-api'
import { describe, expect, it } from 'vitest'
import { families } from './pools/index.js'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/\.(test|fuzz)\.ts$|^testing\//.test(path),
)

const IMPURE = [
  "fetch('http://localhost')",
  "console.log('hello')",
  'process.exit(1)',
  'setTimeout(() => {}, 1)',
  "import 'node:fs'",
  'performance.now()',
]

/** Counts the errors that the compiler finds in each code, as a source file of core. */
function compile(codes: readonly string[]): readonly number[] {
  const configPath = join(root, 'tsconfig.build.json')
  const { config } = ts.readConfigFile(configPath, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const names = codes.map((_, i) => join(root, `src/code${i}.ts`))
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (path) => names.includes(path) || fileExists.call(host, path)
  host.getSourceFile = (path, ...rest) => {
    const code = codes[names.indexOf(path)]
    return code === undefined
      ? getSourceFile.call(host, path, ...rest)
      : ts.createSourceFile(path, code, ts.ScriptTarget.ES2023)
  }
  const program = ts.createProgram(names, { ...options, noEmit: true }, host)
  const faults = ts.getPreEmitDiagnostics(program).map(({ file }) => file?.fileName)
  return names.map((name) => faults.filter((fault) => fault === name).length)
}

describe('core is pure', () => {
  it('compiles plain code, and refuses a clock, output and everything else of a host', () => {
    const codes = ['export const one: bigint = 1n', ...IMPURE.map((code) => `${code}\nexport {}`)]
    const [plain, ...impure] = compile(codes)
    expect(plain).toBe(0)
    for (const [i, faults] of impure.entries()) expect(faults, IMPURE[i]).toBeGreaterThan(0)
  })

  it('has no dependencies', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(manifest).not.toHaveProperty('dependencies')
    expect(manifest).not.toHaveProperty('peerDependencies')
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
