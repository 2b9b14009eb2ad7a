// What the record of answers asks in the shapes of other services.

import { each, filled } from './names.js'

/** An order for 0x. */
export const zeroEx = 'chainId=999&sellToken={HYPE}&buyToken={USDC}&sellAmount={10e18}'
const bought = 'chainId=999&sellToken={WHYPE}&buyToken={USDC}&buyAmount=100250000'
const zeroExFee = '&swapFeeBps=30&swapFeeRecipient={PARTNER}&swapFeeToken={USDC}'
const input = (query: object) => `?input=${encodeURIComponent(filled(JSON.stringify(query)))}`
const inputOrder = { chainId: 999, sellToken: '{HYPE}', buyToken: '{USDC}', sellAmount: '{10e18}' }
const zeroExs = [
  ...each('/swap/allowance-holder/price?', [
    ...[
      zeroEx,
      `${zeroEx}&taker={POOR}&slippageBps=50${zeroExFee}`,
      bought,
      `${zeroEx}&sellAmount=1`,
    ],
    ...[`${zeroEx}&excludedSources=test-v3,Uniswap_V3`, 'chainId=999&sellToken={WHYPE}', ''],
    ...['chainId=999&sellToken={HYPE}&buyToken={ISLAND}&sellAmount=5', 'chainId=1&sellToken=x'],
    ...[
      'chainId=999&sellToken={HYPE}&buyToken={UBTC}&sellAmount={2000e18}',
      `${zeroEx}&swapFeeBps=10`,
    ],
  ]),
  ...each('/swap/allowance-holder/quote?', [
    ...[`${zeroEx}&taker={POOR}`, `${zeroEx}&taker={RICH}&slippageBps=50`, zeroEx],
    ...[`${bought}&taker={POOR}&slippagePpm=5000&recipient={PARTNER}&gasPrice=9`],
    ...[
      `${zeroEx}&taker={POOR}&slippageBps=5&slippagePpm=5000`,
      `${zeroEx}&taker={POOR}${zeroExFee}`,
    ],
    ...[`${zeroEx}&taker={POOR}&sellEntireBalance=true`, `${zeroEx}&taker={POOR}&buyAmount=1`],
    ...[
      `${zeroEx}&taker={POOR}&tradeSurplusRecipient={POOR}`,
      `${zeroEx}&taker={POOR}&recipient={WHYPE}`,
    ],
    ...[
      'chainId=999&sellToken={USDC}&buyToken={HYPE}&sellAmount=5000000&taker={POOR}&txOrigin={POOR}',
    ],
    ...['chainId=999&sellToken={USDC}&buyToken={USDC}&sellAmount=5&taker={POOR}'],
    ...['chainId=999&sellToken={USDC}&buyToken={POOR}&sellAmount=5&taker={POOR}'],
  ]),
  ...['/sources?chainId=999', '/sources', '/sources?chainId=1'],
  ...['/swap/permit2/price?chainId=999', '/swap/permit2/quote?chainId=999'],
  ...each('/trpc/swap/swap.allowanceHolder.', [
    ...[`getPrice${input(inputOrder)}`, `getQuote${input({ ...inputOrder, taker: '{POOR}' })}`],
    ...['getPrice?input={', 'getPrice?input=[]', `getPrice${input({ ...inputOrder, chainId: 1 })}`],
    ...[`getPrice${input({ sellAmount: 2 ** 54 })}`, `getQuote${input({})}`, 'getPrice'],
  ]),
  ...['/trpc/swap/sources.getSources?input={"chainId":999}', '/trpc/swap/swap.permit2.getPrice'],
  `/trpc/swap/swap.permit2.getQuote${input(inputOrder)}`,
]

/** A pair for LiquidSwap. */
export const liquid = 'tokenIn={WHYPE}&tokenOut={USDC}'
const liquids = [
  ...each('/v2/route?', [
    ...[`${liquid}&amountIn=10.5`, `${liquid}&amountOut=100.25&slippage=0.3`, liquid, ''],
    ...[
      'tokenIn={USDC}&tokenOut={WHYPE}&amountIn=25000.5&unwrapWHYPE=true',
      `${liquid}&amountIn=0`,
    ],
    ...[
      'tokenIn={HYPE}&tokenOut={UBTC}&amountIn=2000&multiHop=true',
      `${liquid}&amountIn=1&chainId=1`,
    ],
    ...[`${liquid}&amountIn=2&feeBps=30&feeRecipient={PARTNER}`, `${liquid}&amountIn=1&feeBps=5`],
    ...[`${liquid}&amountIn=2&includeDexes=13`, `${liquid}&amountIn=2&excludeDexes=12`],
    ...[`${liquid}&amountIn=1&excludeDexes=99`, `${liquid}&amountIn=1&amountOut=1`],
    ...[
      'tokenIn={WHYPE}&tokenOut={ROUTER}&amountIn=1',
      'tokenIn={WHYPE}&tokenOut={ISLAND}&amountIn=1',
    ],
    ...[`${liquid}&amountIn=1.0000000000000000001`, 'tokenIn={WHYPE}&tokenOut={WHYPE}&amountIn=1'],
    ...[`${liquid}&amountIn=1&feeBps=5&feeRecipient={ROUTER}`, `${liquid}&amountIn=1&slippage=51`],
    'tokenIn=0x000000000000000000000000000000000000dead&tokenOut={USDC}&amountIn=0.001',
  ]),
  ...['/tokens', '/tokens?limit=2', '/tokens?search=usdc', '/tokens?search={PURR}'],
]

/** Paths and queries, asked with a key. */
export const askedShapes: readonly string[] = [...zeroExs, ...liquids]
