import { createBraid } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { type DrawnQuote, drawQuote, type Paint, toDrawnHops } from 'braid/draw'
import type { DemoFile } from './demo.js'

/** The input amount of the sample order, in wei: large enough that a split pays. */
const AMOUNT = 2_500n * 10n ** 18n
const SLIPPAGE = '0.5'

/** The text after the start: URLs, the API key, commands to paste and a sample quote as a tree. */
export async function writeGuide(file: DemoFile, folder: string, paint: Paint): Promise<string> {
  const quote = await fetchQuote(file)
  const labels = new Map(file.tokens.map((token) => [token.address, token]))
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
    paint.strong('A quote'),
    `  ${curl(file, quotePath(file))}`,
    '',
    indent(drawQuote(quote, { labels, paint })),
    '',
    paint.strong('A swap, ready to sign'),
    `  ${curl(file, swapPath(file))}`,
    '',
    paint.faint('Ctrl-C stops everything.'),
    '',
  ].join('\n')
}

async function fetchQuote({ apiUrl, apiKey, ...file }: DemoFile): Promise<DrawnQuote> {
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

function quotePath(file: DemoFile): string {
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

function curl(file: DemoFile, path: string): string {
  return `curl -H 'apikey: ${file.apiKey}' '${file.apiUrl}${path}'`
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}
