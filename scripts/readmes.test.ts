/**
 * The TypeScript of every page and of every `@example` compiles against the sources: what it imports exists and is
 * called as its types say.
 * Names that a page leaves to its reader (`tokenIn`, `apiKey`) may be anything. What the libraries export is held
 * against `api.txt` of each, which `pnpm unit scripts/readmes --update` writes: a review sees what is promised.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import ts from 'typescript-api'
import { expect, it } from 'vitest'
import { describeLibrary, doorsOf, LIBRARIES } from './apiReport.js'

const root = resolve(import.meta.dirname, '..')
const PAGES = ['.', 'docs', ...foldersOf('packages'), ...foldersOf('apps')]
/** Where a page of no package finds what it imports. */
const PLACE = 'packages/e2e/src'
/** A name that is not declared, also as a shorthand field. */
const LEFT_TO_READER = new Set([2304, 2552, 18004])
const TIMEOUT_MS = 300_000

const OPTIONS: ts.CompilerOptions = {
  ...{ strict: true, skipLibCheck: true, noEmit: true, noImplicitAny: false },
  target: ts.ScriptTarget.ES2023,
  // Not those of a page, in which `name` is declared.
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  customConditions: ['src'],
  jsx: ts.JsxEmit.ReactJSX,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
}

function foldersOf(kind: string): readonly string[] {
  return readdirSync(join(root, kind)).map((name) => `${kind}/${name}`)
}

/** Each block of TypeScript in the pages, by the path of a file that is not there. */
function readBlocks(): ReadonlyMap<string, string> {
  const blocks = new Map<string, string>()
  for (const folder of PAGES) {
    for (const page of readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'))) {
      const text = readFileSync(join(root, folder, page), 'utf8')
      const place = folder.includes('/') ? `${folder}/src` : PLACE
      for (const [, ending, code] of text.matchAll(/^```(tsx?)\n(.*?)^```/gms)) {
        const name = `${folder}/${page}`.replaceAll(/[/.]/g, '-')
        blocks.set(join(root, place, `${name}-${blocks.size}.${ending}`), `${code}\nexport {}\n`)
      }
    }
  }
  return blocks
}

/** Each `@example` beside its source, with what the source exports. */
function readExamples(): ReadonlyMap<string, string> {
  const examples = new Map<string, string>()
  for (const folder of [...foldersOf('packages'), ...foldersOf('apps')]) {
    const files = readdirSync(join(root, folder, 'src'), { encoding: 'utf8', recursive: true })
    for (const file of files.filter((name) => /(?<!\.d)\.tsx?$/.test(name))) {
      const path = join(root, folder, 'src', file)
      const text = readFileSync(path, 'utf8')
      const names = [...text.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(
        ([, name]) => name,
      )
      for (const [, lines] of text.matchAll(/^ *\* @example([^@]*?)\*\/$/gm)) {
        const code = lines!.replaceAll(/^ *\* ?/gm, '')
        const imports = `import { ${names.join(', ')} } from './${basename(file).replace(/\.tsx?$/, '.js')}'`
        const name = `example-${examples.size}-${basename(file).replace(/\.tsx?$/, '.tsx')}`
        examples.set(
          join(dirname(path), name),
          `${imports}\nexport const example = async () => {\n${code}\n}\n`,
        )
      }
    }
  }
  return examples
}

function createProgram(blocks: ReadonlyMap<string, string>): ts.Program {
  const host = ts.createCompilerHost(OPTIONS)
  const { getSourceFile, fileExists } = host
  host.fileExists = (file) => blocks.has(file) || fileExists.call(host, file)
  host.getSourceFile = (file, ...rest) => {
    const code = blocks.get(file)
    if (code === undefined) return getSourceFile.call(host, file, ...rest)
    return ts.createSourceFile(file, code, ts.ScriptTarget.ES2023, true)
  }
  return ts.createProgram([...blocks.keys(), ...doorsOf('src').keys()], OPTIONS, host)
}

function faultsOf(blocks: ReadonlyMap<string, string>, program: ts.Program): readonly string[] {
  return [...blocks.keys()].flatMap((file) => {
    const source = program.getSourceFile(file)
    const found = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]
    return found
      .filter(({ code }) => !LEFT_TO_READER.has(code))
      .map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
  })
}

it(
  'compiles, a block that calls what is not there is found, and exports are those of the reports',
  async () => {
    const wrong = join(root, PLACE, 'wrong.ts')
    const examples = readExamples()
    expect(examples.size).toBeGreaterThan(20)
    const blocks = new Map([...readBlocks(), ...examples])
    expect(blocks.size - examples.size).toBeGreaterThan(6)
    blocks.set(wrong, `import { quotes } from '@braid-swap/core'\nquotes()\nexport {}\n`)
    const program = createProgram(blocks)
    const faults = faultsOf(blocks, program)
    expect(faults.filter((fault) => !fault.startsWith(wrong))).toEqual([])
    expect(faults).toHaveLength(1)
    for (const name of LIBRARIES) {
      const { report, unnamed } = describeLibrary(program, name)
      expect(unnamed, 'types in signatures that no entry exports').toEqual([])
      await expect(report).toMatchFileSnapshot(join(root, 'packages', name, 'api.txt'))
    }
  },
  TIMEOUT_MS,
)
