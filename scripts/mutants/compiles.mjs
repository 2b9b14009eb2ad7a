/** Asks the type checker about a mutant that no test noticed: what does not compile, nobody can release. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import ts from 'typescript-api'

const trees = new Map()

/** Whether the file of a mutant has no error of types with its change. */
export function compiles(root, { path, from, to, by }) {
  const [kind, name] = path.slice(root.length + 1).split('/')
  const config = resolve(root, kind, name, 'tsconfig.json')
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    dirname(config),
  )
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getSourceFile = (file, ...rest) => {
    if (file === path) {
      const source = readFileSync(path, 'utf8')
      const mutated = source.slice(0, from) + by + source.slice(to)
      return ts.createSourceFile(file, mutated, ts.ScriptTarget.Latest, true)
    }
    if (!trees.has(file)) trees.set(file, read(file, ...rest))
    return trees.get(file)
  }
  // What is unused only warns: the check of the workspace would say so, yet a mutant is more than that.
  const lenient = { ...options, noUnusedLocals: false, noUnusedParameters: false }
  const program = ts.createProgram([path], lenient, host)
  return program.getSemanticDiagnostics(program.getSourceFile(path)).length === 0
}
