/**
 * Where a source can be changed: operators of mutation testing over the syntax tree, chosen so that most
 * changes still compile. Strings, types and imports stay as they are.
 */
import ts from 'typescript-api'

/** Operators and what replaces each. */
const SWAPPED = new Map(
  Object.entries({
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '===': '!==',
    '!==': '===',
    '+': '-',
    '-': '+',
    '*': '/',
    '/': '*',
    '&&': '||',
    '||': '&&',
  }),
)
/** Calls to which the order of their arguments is nothing. */
const COMMUTES = /^Math\.(min|max)$/
/** Up to here a number counts something, so one more is a change; above it is a limit, which doubles. */
const COUNTED = 16

/** The changes of one node itself, as the part that is replaced, the text and the name of the operator. */
function changesOf(node, text) {
  const is = (kind) => node.kind === ts.SyntaxKind[kind]
  const put = (part, by, kind) => [{ from: part.getStart(), to: part.end, by, kind }]
  const negate = (part) => put(part, `!(${text(part)})`, 'condition negated')
  if (ts.isBinaryExpression(node)) {
    const by = SWAPPED.get(text(node.operatorToken))
    if (by) return put(node.operatorToken, by, 'operator')
    const isDefault = text(node.operatorToken) === '??'
    return isDefault ? put(node, `(${text(node.right)})`, 'default always') : []
  }
  if (ts.isIfStatement(node)) {
    const dropped = node.elseStatement ? [] : put(node, ';', 'branch dropped')
    return [...dropped, ...negate(node.expression)]
  }
  if (ts.isConditionalExpression(node)) return negate(node.condition)
  if (ts.isExpressionStatement(node)) return put(node, ';', 'statement dropped')
  if (is('TrueKeyword')) return put(node, 'false', 'constant')
  if (is('FalseKeyword')) return put(node, 'true', 'constant')
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) {
    const unit = text(node).endsWith('n') ? 'n' : ''
    const isSmall = Number(text(node).replace(/_|n$/g, '')) <= COUNTED
    return put(node, `(${text(node)} ${isSmall ? '+ 1' : '* 2'}${unit})`, 'constant')
  }
  if (ts.isArrayLiteralExpression(node)) {
    return node.elements.length > 0 ? put(node, '[]', 'list emptied') : []
  }
  if (ts.isCallExpression(node) && node.arguments.length > 1) {
    const [first, second] = node.arguments
    if (COMMUTES.test(text(node.expression))) return []
    if (text(first) === text(second) || ts.isFunctionLike(first) || ts.isFunctionLike(second))
      return []
    const part = { getStart: () => first.getStart(), end: second.end }
    return put(part, `${text(second)}, ${text(first)}`, 'arguments swapped')
  }
  if (ts.isBlock(node) && ts.isFunctionLike(node.parent) && node.statements.length > 1) {
    const first = node.statements[0]
    return put(first, `return undefined as never; ${text(first)}`, 'returns at once')
  }
  return []
}

/** Every change of a source, in its order: from and to are offsets in the text, `by` replaces what is between. */
export function sitesOf(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const text = (node) => node.getText(tree)
  const sites = []
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isTypeAliasDeclaration(node))
      return
    if (ts.isInterfaceDeclaration(node)) return
    for (const change of changesOf(node, text)) {
      const line = tree.getLineAndCharacterOfPosition(change.from).line + 1
      sites.push({ file, line, ...change, old: source.slice(change.from, change.to) })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return sites
}
