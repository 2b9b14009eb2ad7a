/**
 * No name from outside is looked up in a plain object, because a plain object inherits `constructor`,
 * `toString` and ten more. The type checker knows where a name may be any text, so this reads the
 * sources of every package with it. A `Map` and core's `ownValue` have no such names.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-api'
import { expect, it } from 'vitest'

const root = resolve(fileURLToPath(import.meta.url), '../../../../..')
/** The one function that may look a name up, because it first checks that the record has the name. */
const ALLOWED = 'packages/core/src/ownValue.ts'
const TIMEOUT_MS = 300_000

const isShipped = (path: string) =>
  /^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(path) &&
  !/\.(test|e2e|fuzz)\.tsx?$|\/testing\/|^packages\/(e2e|worlds)\//.test(path)

function sourceFiles(): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', 'packages', 'apps']
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')
  return files.filter((path) => isShipped(path) && existsSync(join(root, path)))
}

const OPTIONS: ts.CompilerOptions = {
  ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, noEmit: true },
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ['src'],
  jsx: ts.JsxEmit.ReactJSX,
  jsxImportSource: 'preact',
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
}

/** All places in the files that look up a name which may be any text, as `file:line: code`. */
function findLookups(files: readonly string[], host: ts.CompilerHost) {
  const names = new Set(files.map((file) => join(root, file)))
  const program = ts.createProgram([...names], OPTIONS, host)
  const checker = program.getTypeChecker()
  const mayBeAnyText = (type: ts.Type): boolean => {
    if (type.isUnion()) return type.types.some(mayBeAnyText)
    const { String: text, Any, Unknown, TypeParameter } = ts.TypeFlags
    const bound = type.flags & TypeParameter ? checker.getBaseConstraintOfType(type) : undefined
    return bound ? mayBeAnyText(bound) : (type.flags & (text | Any | Unknown)) !== 0
  }
  const isLookup = (node: ts.Node): boolean => {
    if (ts.isElementAccessExpression(node)) {
      const name = node.argumentExpression
      return !ts.isStringLiteral(name) && mayBeAnyText(checker.getTypeAtLocation(name))
    }
    return (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.InKeyword &&
      !ts.isStringLiteral(node.left) &&
      !ts.isPrivateIdentifier(node.left)
    )
  }
  const found: string[] = []
  for (const source of program.getSourceFiles().filter(({ fileName }) => names.has(fileName))) {
    const path = relative(root, source.fileName)
    const visit = (node: ts.Node): void => {
      if (isLookup(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        found.push(`${path}:${line + 1}: ${node.getText()}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return found
}

/** A source that looks names up, which no folder holds. */
const SAMPLE = 'packages/core/src/lookup.ts'
const SAMPLE_CODE = `
  const costs: Readonly<Record<string, number>> = { swap: 2 }
  export const literal = (word: 'swap') => costs[word]
  export const item = (list: readonly number[], at: number) => list[at]
  export const byName = (name: string) => costs[name]
  export const byKey = <K extends string>(key: K) => costs[key]
  export const isKnown = (name: string) => name in costs
`

/** Reads files from the disk, and the sample from here. */
function hostWithSample(): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS)
  const { getSourceFile, fileExists } = host
  const name = join(root, SAMPLE)
  host.fileExists = (file) => file === name || fileExists.call(host, file)
  host.getSourceFile = (file, ...rest) =>
    file === name
      ? ts.createSourceFile(file, SAMPLE_CODE, ts.ScriptTarget.ES2023, true)
      : getSourceFile.call(host, file, ...rest)
  return host
}

// One program for both questions, because it reads the types of the whole workspace.
it(
  'no source looks up a name from outside in a plain object, and one that does is found',
  () => {
    const files = sourceFiles()
    expect(files.length).toBeGreaterThan(400)
    const found = findLookups([...files, SAMPLE], hostWithSample())
    expect(found.filter((place) => !place.startsWith(`${ALLOWED}:`))).toEqual([
      `${SAMPLE}:5: costs[name]`,
      `${SAMPLE}:6: costs[key]`,
      `${SAMPLE}:7: name in costs`,
    ])
  },
  TIMEOUT_MS,
)
