import { createBraid } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { type DrawnQuote, drawQuote, type Paint, toDrawnHops } from 'braid/draw'
import type { DemoFile } from './demo.js'
import type { RecordedFile } from './recorded.js'

/** The input amount of the sample order, in wei: large enough that a split pays. */
const AMOUNT = 2_500n * 10n ** 18n
const SLIPPAGE = '0.5'

/** The text after the start: URLs, the API key, commands to paste and a sample quote as a tree. */
export async function writeGuide(file: DemoFile, folder: string, paint: Paint): Promise<string> {
  return [
    '',
    paint.strong('Braid is running'),
    `  page     ${file.apiUrl}/`,
    `  API      ${file.apiUrl}`,
    `  RPC      ${file.rpcUrl} (chain ${file.chainId})`,
    `  router   ${file.router}`,
    `  API key  ${file.apiKey}`,
    `  wallet   ${file.account.address}`,
    `  all of it, with the wallet's key: ${folder}/demo.json`,
    '',
    ...(await writeQuote(file, paint)),
    paint.strong('A swap, ready to sign'),
    `  ${curl(file, swapPath(file))}`,
    '',
    paint.faint('Ctrl-C stops everything.'),
    '',
  ].join('\n')
}

/** The text after the start on a recorded market. */
export async function writeRecordedGuide(file: RecordedFile, paint: Paint): Promise<string> {
  return [
    '',
    paint.strong('Braid is running on a recorded market: quotes, but no chain to swap on'),
    `  page     ${file.apiUrl}/`,
    `  API      ${file.apiUrl}, without a key`,
    '',
    ...(await writeQuote(file, paint)),
    paint.faint('Ctrl-C stops it.'),
    '',
  ].join('\n')
}

async function writeQuote(file: RecordedFile, paint: Paint): Promise<readonly string[]> {
  const labels = new Map(file.tokens.map((token) => [token.address, token]))
  const tree = drawQuote(await fetchQuote(file), { labels, paint })
  return [paint.strong('A quote'), `  ${curl(file, quotePath(file))}`, '', indent(tree), '']
}

async function fetchQuote({ apiUrl, apiKey, ...file }: RecordedFile): Promise<DrawnQuote> {
  const { src, dst } = endsOf(file)
  const flags = { includeGas: true, includeGraph: true } as const
  const braid = createBraid({ url: apiUrl, apiKey })
  const { dstAmount, gas, graph, served } = await braid.quote({
    src,
    dst,
    amount: AMOUNT,
    ...flags,
  })
  return {
    ...{ tokenIn: src, tokenOut: dst, amountIn: AMOUNT, amountOut: dstAmount, gas },
    hops: toDrawnHops(graph),
    ...(served.blockNumber !== undefined && { block: served.blockNumber }),
  }
}

function quotePath(file: RecordedFile): string {
  const { src, dst } = endsOf(file)
  const flags = 'includeGas=true&includeGraph=true'
  return `/swap/v1/${file.chainId}/quote?src=${src}&dst=${dst}&amount=${AMOUNT}&${flags}`
}

// The order sells the native token, which needs no approval, so that the command works as printed.
function swapPath(file: DemoFile): string {
  const { src, dst } = endsOf(file)
  const order = `src=${src}&dst=${dst}&amount=${AMOUNT}`
  return `/swap/v1/${file.chainId}/swap?${order}&slippage=${SLIPPAGE}&from=${file.account.address}`
}

function endsOf(file: Pick<DemoFile, 'tokens'>): { readonly src: Address; readonly dst: Address } {
  const addressOf = (symbol: string) =>
    file.tokens.find((token) => token.symbol === symbol)!.address
  return { src: addressOf('HYPE'), dst: addressOf('USDC') }
}

function curl({ apiKey, apiUrl }: RecordedFile, path: string): string {
  return `curl ${apiKey && `-H 'apikey: ${apiKey}' `}'${apiUrl}${path}'`
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}
