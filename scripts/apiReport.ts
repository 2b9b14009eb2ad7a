// What a library promises, as text: each entry, with the signature of each export.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript-api'

const root = resolve(import.meta.dirname, '..')
export const LIBRARIES = ['chain', 'client', 'contracts', 'core', 'feed']
const printer = ts.createPrinter({ removeComments: true })
const WHOLE = ts.TypeFormatFlags.NoTruncation

/** The sources of all entries but those for tests, with their names. */
export function doorsOf(condition: string, libraries = LIBRARIES): ReadonlyMap<string, string> {
  const doors = libraries.flatMap((name) => {
    const folder = join(root, 'packages', name)
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const entries = Object.entries<Record<string, string>>(exports)
    return entries.flatMap(([door, paths]): [string, string][] => {
      const file = paths[condition]
      return file?.endsWith('.ts') && door !== './testing' ? [[join(folder, file), door]] : []
    })
  })
  return new Map(doors)
}

/** A long type, such as an ABI's, by its beginning and its hash. */
function cut(text: string): string {
  if (text.length < LONGEST) return text
  return `${text.slice(0, LONGEST)}… ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}
const LONGEST = 1_000

/** The report of a library, and the types of its signatures that none of its entries exports. */
export function describeLibrary(program: ts.Program, library: string) {
  const checker = program.getTypeChecker()
  const real = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const exportsOf = (file: string) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!)
  const doors = [...doorsOf('src', [library])].map(([file, name]) => ({
    name,
    symbols: exportsOf(file).sort((a, b) => (a.name < b.name ? -1 : 1)),
  }))
  const isSpace = (symbol: ts.Symbol) => (symbol.flags & ts.SymbolFlags.ValueModule) !== 0
  const known = new Set(
    doors.flatMap(({ symbols }) =>
      symbols.map(real).flatMap((one) => {
        const inside = isSpace(one) ? checker.getExportsOfModule(one).map(real) : []
        return [one, ...inside]
      }),
    ),
  )
  const describe = (symbol: ts.Symbol): string => {
    const target = real(symbol)
    const declaration = target.declarations![0]!
    if (isSpace(target)) {
      const names = checker.getExportsOfModule(target).map(({ name }) => name)
      return `namespace ${symbol.name}: ${names.sort().join(', ')}`
    }
    if (ts.isTypeAliasDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) {
      const text = printer.printNode(
        ts.EmitHint.Unspecified,
        declaration,
        declaration.getSourceFile(),
      )
      return text.replace(/^export /, '')
    }
    if (ts.isClassDeclaration(declaration)) {
      return `class ${symbol.name} ${declaration.heritageClauses?.[0]?.getText() ?? ''}`
    }
    const type = checker.getTypeOfSymbolAtLocation(target, declaration)
    const [signature] = type.getCallSignatures()
    return ts.isFunctionDeclaration(declaration) && signature
      ? `function ${symbol.name}${checker.signatureToString(signature, undefined, WHOLE)}`
      : `const ${symbol.name}: ${checker.typeToString(type, undefined, WHOLE)}`
  }
  const place = `/packages/${library}/src/`
  const unnamed = new Set<string>()
  for (const symbol of known) {
    const visit = (node: ts.Node): void => {
      if (ts.isBlock(node)) return
      if (ts.isTypeReferenceNode(node)) {
        const found = checker.getSymbolAtLocation(node.typeName)
        const named = found && real(found)
        const file = named?.declarations?.[0]?.getSourceFile().fileName ?? ''
        const isParameter = ((named?.flags ?? 0) & ts.SymbolFlags.TypeParameter) !== 0
        if (named && file.includes(place) && !isParameter && !known.has(named)) {
          unnamed.add(`${named.name} of ${symbol.name}`)
        }
      }
      ts.forEachChild(node, visit)
    }
    const [declaration] = symbol.declarations ?? []
    if (declaration?.getSourceFile().fileName.includes(place)) {
      if (!ts.isSourceFile(declaration)) visit(declaration)
    }
  }
  const report = doors.map(({ name, symbols }) =>
    [`# ${name}: ${symbols.length} names`, ...symbols.map((one) => cut(describe(one)))].join('\n'),
  )
  return { report: `${report.join('\n\n')}\n`, unnamed: [...unnamed].sort() }
}
