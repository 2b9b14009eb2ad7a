/**
 * Mutants by operator over every line of the contracts, from the compiler's syntax tree, drawn by a seed: what
 * nobody thought of when the lists in `mutants/` were written. Only those that compile are drawn. Each has a place of
 * its own in the draw, so that a change elsewhere moves none.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const PACKAGE = new URL('..', import.meta.url)
const solc = createRequire(import.meta.url)('solc')

const SWAPPED = new Map(
  Object.entries({
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '==': '!=',
    '!=': '==',
    '+': '-',
    '-': '+',
    '*': '/',
    '/': '*',
    '&&': '||',
    '||': '&&',
    '&': '|',
    '|': '&',
    '<<': '>>',
    '>>': '<<',
    '+=': '=',
    '-=': '=',
  }),
)

/** The changes of one node: the bytes that are replaced, and the text instead. */
function changesOf(node, source) {
  const [at, size] = node.src.split(':').map(Number)
  const text = ({ src }) => {
    const [from, length] = src.split(':').map(Number)
    return source.slice(from, from + length)
  }
  const put = (by, part = node) => {
    const [from, length] = part.src.split(':').map(Number)
    return [{ from, to: from + length, by }]
  }
  const between = (left, right) => {
    const from = text(left).length + Number(left.src.split(':')[0])
    const operator = source.slice(from, Number(right.src.split(':')[0])).match(/[^\s()]+/)
    const by = operator && SWAPPED.get(operator[0])
    const start = operator ? from + operator.index : 0
    return by ? [{ from: start, to: start + operator[0].length, by }] : []
  }
  switch (node.nodeType) {
    case 'BinaryOperation':
      return between(node.leftExpression, node.rightExpression)
    case 'Assignment':
      return between(node.leftHandSide, node.rightHandSide)
    case 'IfStatement':
      return [...put('false', node.condition), ...put('true', node.condition)]
    case 'Conditional':
      return [...put(text(node.trueExpression)), ...put(text(node.falseExpression))]
    case 'ExpressionStatement':
      // The semicolon stays.
      return source[at + size] === ';' ? put('0') : []
    case 'EmitStatement':
    case 'Break':
    case 'Continue':
      return put('')
    case 'Literal':
      return node.kind === 'number' ? put(`(${text(node)} + 1)`) : []
    case 'ModifierInvocation':
      return put('')
    case 'FunctionCall': {
      const swaps = node.arguments.slice(1).flatMap((next, i) => {
        const first = node.arguments[i]
        const [from] = first.src.split(':').map(Number)
        const end = Number(next.src.split(':')[0]) + text(next).length
        const middle = source.slice(from + text(first).length, end - text(next).length)
        const isSame = text(first) === text(next)
        return isSame ? [] : [{ from, to: end, by: text(next) + middle + text(first) }]
      })
      return node.kind === 'functionCall' ? swaps : []
    }
    default:
      return []
  }
}

function sitesOf(file, tree, source) {
  const sites = []
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return
    if (node.nodeType && node.src) {
      for (const change of changesOf(node, source)) sites.push({ file, ...change })
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(tree)
  return sites
}

function analyse(sources) {
  const content = Object.entries(sources).map(([path, text]) => [path, { content: text }])
  const settings = { outputSelection: { '*': { '': ['ast'] } } }
  const input = { language: 'Solidity', sources: Object.fromEntries(content), settings }
  return JSON.parse(solc.compile(JSON.stringify(input)))
}

/** The tree counts bytes, so sources are read with one character for each. */
const utf8 = (text) => Buffer.from(text, 'latin1').toString('utf8')

/** `count` mutants as file, whole source, changed source and name; `sites` is how many there are to draw from. */
export function drawMutants(count, seed) {
  const paths = readdirSync(new URL('src/', PACKAGE), { recursive: true })
    .map((path) => `src/${path}`)
    .filter((path) => path.endsWith('.sol') && !/\/(testing|asking)\//.test(path))
    .sort()
  const sources = Object.fromEntries(
    paths.map((path) => [path, readFileSync(new URL(path, PACKAGE), 'latin1')]),
  )
  const trees = analyse(sources).sources
  const sites = paths.flatMap((path) => sitesOf(path, trees[path].ast, sources[path]))
  const keyOf = ({ file, from, by }) =>
    createHash('sha256').update(`${seed} ${file} ${from} ${by}`).digest('hex')
  const keyed = sites.map((site) => ({ ...site, key: keyOf(site) }))
  const drawn = []
  for (const { file, from, to, by } of keyed.sort((a, b) => (a.key < b.key ? -1 : 1))) {
    if (drawn.length === count) break
    const source = sources[file]
    const changed = source.slice(0, from) + by + source.slice(to)
    const { errors = [] } = analyse({ ...sources, [file]: changed })
    if (errors.some(({ severity }) => severity === 'error')) continue
    const line = source.slice(0, from).split('\n').length
    const what = `${source.slice(from, to)} => ${by}`.replaceAll(/\s+/g, ' ')
    const name = `${file.slice('src/'.length)}:${line}\t${what}`
    drawn.push([file, utf8(source), utf8(changed), utf8(name)])
  }
  return { sites: sites.length, drawn }
}
