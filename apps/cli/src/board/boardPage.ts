/**
 * A board as one HTML file without scripts and without requests, to publish as it is. Every text is
 * escaped, because names and reasons come from other services.
 */
import type { Address } from '@braid-swap/core'
import { amountText, nameOf, shortAmount, type TokenLabels } from '@braid-swap/draw'
import { bpsText } from '../print/output.js'
import { type Board, type BoardOrder, type Row, receivedOf, standingsOf } from './runBoard.js'

/** The words for a row without a simulated output. */
const STATUS: Readonly<Record<Exclude<Row['status'], 'simulated'>, string>> = {
  reverted: 'its calldata reverts',
  'not simulated': 'not simulated',
  unreachable: 'not reachable',
  refused: 'no offer',
  unreadable: 'answered in another form',
}

/** How far an output is above another, in basis points; empty if the other is zero. */
export function gapText(amount: bigint, to: bigint): string {
  const words = to === 0n ? '' : bpsText(amount, to)
  return /^-?0\.00 /.test(words) ? 'under 0.01 bps' : words
}

/** The status of a row without a simulated output, with the reason. */
export function statusText(row: Exclude<Row, { readonly status: 'simulated' }>): string {
  return `${STATUS[row.status]}: ${row.reason}`
}

/** The page of a board. */
export function boardPage(board: Board, labels: TokenLabels): string {
  const { orders, asked, slippageBps, chainId, services } = board
  const names = services.map(({ name }) => name)
  const title = `The same ${orders.length === 1 ? 'order' : `${orders.length} orders`}, asked of ${names.length} services`
  const blocks = orders.map(({ block }) => block)
  const [first, last] = [blocks[0], blocks.at(-1)]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Braid</h1>
<span class="chip">HyperEVM · chain ${chainId}</span>
<span class="chip">${first === last ? `block ${first}` : `blocks ${first} to ${last}`}</span>
</header>
<main>
<section class="card">
<h2>${text(title)}</h2>
<p class="soft">${text(asked.slice(0, 16).replace('T', ' '))} UTC, slippage ${slippageBps / 100} %</p>
${standingsTable(board)}
</section>
${orders.map((order) => orderCard(order, labels)).join('\n')}
<section class="card">
<h2>How this was measured</h2>
<p>All services were asked for each order at the same time, Braid for the most output and the others as they answer by
default. <b>Quoted</b> is what a service promised. <b>Received</b> is what its calldata pays on the state of the named
block: it was run there in a call that sends nothing, from an account that was given exactly the amount, and the
account’s balance was counted before and after. The <b>bound</b> is Braid’s: over the pools that Braid serves, no route
that passes each token at most once pays more at that block. A service above it uses other pools. Gas is not
counted.</p>
<p>A service may have quoted from a block before or after. Repeat it with <code>braid board</code>.</p>
</section>
</main>
</body>
</html>
`
}

function standingsTable(board: Board): string {
  const all = board.orders.length
  const rows = standingsOf(board).map(({ name, host, best, simulated, unreachable }) => {
    const often = unreachable === all ? '' : ` for ${unreachable}`
    const gone = unreachable > 0 ? `<br><span class="warn">not reachable${often}</span>` : ''
    const service = `<b>${text(name)}</b> <span class="soft">${text(host)}</span>${gone}`
    const counts = [best, simulated].map((count) => `<td class="number">${count} of ${all}</td>`)
    return `<tr><td>${service}</td>${counts.join('')}</tr>`
  })
  return table(['service', 'paid the most', 'simulated'], rows, [1, 2])
}

function orderCard(order: BoardOrder, labels: TokenLabels): string {
  const { tokenIn, tokenOut, amountIn, block, bound, rows } = order
  const best = receivedOf(rows[0]!)
  const amount = (wei: bigint) => shown(wei, tokenOut, labels)
  const lines = rows.map((row) => {
    const name = `<b>${text(row.service)}</b>`
    if (row.status !== 'simulated') {
      const quoted = 'quoted' in row ? `<td class="number">${amount(row.quoted)}</td>` : ''
      const rest = `<td colspan="${quoted === '' ? 5 : 4}">${text(statusText(row))}</td>`
      return `<tr class="soft"><td>${name}</td>${quoted}${rest}</tr>`
    }
    const { quoted, received } = row
    const cells = [
      ...[amount(quoted), amount(received), difference(received, quoted)],
      received === best ? '<span class="good">best</span>' : difference(received, best),
      bound === undefined ? '' : difference(received, bound),
    ]
    return `<tr${received === best ? ' class="best"' : ''}><td>${name}</td>${cells.map((cell) => `<td class="number">${cell}</td>`).join('')}</tr>`
  })
  const sold = text(amountText(amountIn, tokenIn, labels))
  const bounded =
    bound === undefined
      ? 'no bound was proved'
      : `no route over Braid’s pools pays more than ${text(amountText(bound, tokenOut, labels))}`
  return `<section class="card">
<h2>${sold} → ${text(nameOf(tokenOut, labels))}</h2>
<p class="soft">block ${block} · ${bounded}</p>
${table(['service', 'quoted', 'received', 'against its quote', 'against the best', 'against the bound'], lines, [1, 2, 3, 4, 5])}
</section>`
}

const DIGITS = 9

function shown(wei: bigint, token: Address, labels: TokenLabels): string {
  return text(shortAmount(wei, labels.get(token)?.decimals ?? 0, DIGITS))
}

/** A difference in percent, coloured as a loss if it is one. */
function difference(amount: bigint, to: bigint): string {
  const words = text(gapText(amount, to))
  return words.startsWith('-') ? `<span class="bad">${words.replace('-', '−')}</span>` : words
}

function table(
  head: readonly string[],
  rows: readonly string[],
  numbers: readonly number[],
): string {
  const cells = head.map(
    (name, i) => `<th${numbers.includes(i) ? ' class="number"' : ''}>${text(name)}</th>`,
  )
  return `<div class="wide"><table><thead><tr>${cells.join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`
}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ...[['&', '&amp;'] as const, ['<', '&lt;'] as const, ['>', '&gt;'] as const],
  ...[['"', '&quot;'] as const, ["'", '&#39;'] as const],
])

/** A text as HTML. */
function text(plain: string): string {
  return plain.replace(/[&<>"']/g, (letter) => ESCAPED.get(letter)!)
}

/** The colours are those of the page at `/`. */
const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f4f5f2, #0a0e0d); --card: light-dark(#ffffff, #121817);
  --line: light-dark(#e1e5de, #232c2a); --ink: light-dark(#131a18, #e8efec); --soft: light-dark(#58645f, #93a39d);
  --wash: light-dark(#e0f3ee, #10302b); --good: light-dark(#0a7a4b, #4ade80); --bad: light-dark(#b42318, #ff8f85);
  --warn: light-dark(#8a5300, #fbbf24); font-family: "Inter Variable", ui-sans-serif, system-ui, sans-serif;
  font-size: 15px; line-height: 1.45; background: var(--ground); color: var(--ink); }
body { margin: 0 auto; padding: 1rem; max-width: 68rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0.6rem; padding: 0.2rem 0.2rem 1rem; }
h1, h2, p { margin: 0; }
h1 { font-size: 1.2rem; }
h2 { font-size: 1.08rem; letter-spacing: -0.01em; }
main { display: grid; gap: 1.2rem; }
.card { min-width: 0; padding: 1.2rem 1.3rem; border-radius: 18px; background: var(--card); border: 1px solid var(--line); }
.card p + p { margin-top: 0.6rem; }
.chip { padding: 0.2rem 0.6rem; border: 1px solid var(--line); border-radius: 99px; font-size: 0.82rem; color: var(--soft); }
.wide { overflow-x: auto; margin-top: 0.8rem; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { font-weight: 500; font-size: 0.87rem; color: var(--soft); text-align: left; }
th, td { padding: 0.4rem 0.6rem; border-bottom: 1px solid var(--line); }
tbody tr:last-child td { border-bottom: 0; }
.number { text-align: right; white-space: nowrap; }
.best td { background: var(--wash); }
.soft { color: var(--soft); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.warn { color: var(--warn); }
@media (max-width: 40rem) { .card { padding: 1rem 0.8rem; } th, td { padding: 0.4rem 0.35rem; } }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.86em; }
`
