/**
 * Every name that core exports has a doc comment where it is declared: editors show it, and a reference
 * generated from the types consists of it. Syntax is enough to find the declarations, so nothing is checked
 * twice by the type checker.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-api'
import { describe, expect, it } from 'vitest'

const folder = dirname(fileURLToPath(import.meta.url))
const parsed = new Map<string, ts.SourceFile>()

function sourceOf(path: string): ts.SourceFile {
  const known = parsed.get(path)
  if (known) return known
  const text = readFileSync(path, 'utf8')
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  parsed.set(path, source)
  return source
}

/** The names that a statement declares. */
function declaredBy(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  }
  const { name } = statement as { readonly name?: ts.Node }
  return name ? [name.getText()] : []
}

type Wanted = { readonly path: string; readonly name: string }

/** In place of a name: the namespace of a file. */
const WHOLE_FILE = '*'

/** Where a statement says that a name comes from: a name of another file, or all of a file. */
function originsOf(path: string, statement: ts.Statement, name: string): readonly Wanted[] {
  const isExport = ts.isExportDeclaration(statement)
  if (!isExport && !ts.isImportDeclaration(statement)) return []
  const clause = isExport ? statement.exportClause : statement.importClause?.namedBindings
  const from = statement.moduleSpecifier as ts.StringLiteral | undefined
  const target = from ? join(dirname(path), from.text.replace(/\.js$/, '.ts')) : path
  if (!clause) return isExport ? [{ path: target, name }] : []
  if ('name' in clause) return clause.name.text === name ? [{ path: target, name: WHOLE_FILE }] : []
  const elements: readonly (ts.ExportSpecifier | ts.ImportSpecifier)[] = [...clause.elements]
  const found = elements.filter((element) => element.name.text === name)
  return found.map((element) => ({
    path: target,
    name: (element.propertyName ?? element.name).text,
  }))
}

/** Whether the declaration of a name has a doc comment, or all of a file an opening one. */
function isDocumented({ path, name }: Wanted, seen: ReadonlySet<string> = new Set()): boolean {
  const { statements, text } = sourceOf(path)
  if (name === WHOLE_FILE) return /^\/[/*]/.test(text)
  const declaring = statements.filter((statement) => declaredBy(statement).includes(name))
  if (declaring.some((one) => ts.getJSDocCommentsAndTags(one).some(ts.isJSDoc))) return true
  const key = `${path} ${name}`
  const origins = statements.flatMap((statement) => originsOf(path, statement, name))
  const further = new Set([...seen, key])
  return !seen.has(key) && origins.some((origin) => isDocumented(origin, further))
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
}

/** The names that a file exports, those of `export *` included. */
function exportsOf(path: string): readonly string[] {
  return sourceOf(path).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement))
      return isExported(statement) ? declaredBy(statement) : []
    const { exportClause: clause, moduleSpecifier: from } = statement
    if (clause) return ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : []
    const { text } = from as ts.StringLiteral
    return exportsOf(join(dirname(path), text.replace(/\.js$/, '.ts')))
  })
}

describe.each(['index.ts', 'family.ts', 'testing/index.ts'])('every export of %s', (file) => {
  const entry = join(folder, file)

  it('has a doc comment', () => {
    const names = exportsOf(entry)
    expect(names.length).toBeGreaterThan(3)
    expect(names.filter((name) => !isDocumented({ path: entry, name }))).toEqual([])
  })
})
