// What the record of answers asks.

import { askedShapes, liquid, zeroEx } from './askedShapes.js'
import { each } from './names.js'

const ALL = '&includeTokensInfo=1&includeGas=1&includeMeta=1'
const sale = 'src={HYPE}&dst={USDC}&amount={10e18}'
const token = 'src={WHYPE}&dst={USDC}&amount={10e18}'
const purchase = 'src={WHYPE}&dst={USDC}&dstAmountExact=100250000'
const wide = 'src={HYPE}&dst={UBTC}&amount={2000e18}'
const FEE = '&feeBps=30&feeRecipient={PARTNER}'

const quotes = [
  ...each('/swap/v1/999/quote?', [
    ...[sale, `${sale}${ALL}&includeRoutes=1&includeGraph=1`, `${token}${FEE}${ALL}`],
    ...[`${wide}${ALL}&includeRoutes=true&includeGraph=true`, `${wide}&includeMeta=1&maxHops=1`],
    ...[`${wide}&objective=gross&includeMeta=1`, `${purchase}${ALL}&includeRoutes=1`],
    ...[`${purchase}${FEE}&includeMeta=1`, `${wide}&exactQuote=no${ALL}`],
    ...[`${sale}&includeProtocols=test-v3`, `${sale}&excludeProtocols=test-v3&includeMeta=1`],
    ...[`${sale}&excludePools={POOL},{PURR}&includeMeta=1`, `${wide}&onlyIntermediates={USDC}`],
    ...[`${wide}&onlyIntermediates={REEF}&includeRoutes=1`, `${sale}&block=123&maxStateAgeMs=5`],
    ...['src={HYPE}&dst={WHYPE}&amount=7&includeMeta=1&includeGraph=1', `${sale}&Hello=1&other=2`],
    ...['src={WHYPE}&dst={PURR}&amount={90e18}&includeMeta=1', `${wide}&maxPriceImpact=50`],
    // Refused.
    ...['', 'src={HYPE}&dst={USDC}', 'src=0x12&dst={ZERO}&amount=1e18', `${sale}&amount=1`],
    ...[`${sale}&Src={USDC}`, 'src={USDC}&dst={USDC}&amount=1', `${sale}&dstAmountExact=1`],
    ...[`${sale}&exactQuote=perhaps&includeGas=maybe&maxHops=0`, `${sale}&block=7`],
    ...[`${sale}&includeProtocols=nobody`, `${sale}&feeBps=30`, `${sale}&maxPriceImpact=0.001`],
    ...[`${sale}&feeBps=101&feeRecipient={ROUTER}`, 'src={ISLAND}&dst={USDC}&amount=1'],
    ...['src={ISLAND}&dst={USDC}&amount=1&includeNearest=1', 'src={HYPE}&dst={POOR}&amount=1'],
    ...['src={HYPE}&dst={USDC}&amount=1&includeNearest=1', 'src={HYPE}&dst={USDC}&amounts=1,2'],
    'src={WHYPE}&dst={PURR}&dstAmountExact={14001e18}&includeNearest=1',
    `${sale}&includeProtocols=test-v3&excludeProtocols=test-v3&includeNearest=true`,
    `src={HYPE}&dst={USDC}&amount=${2n ** 128n}`,
  ]),
  ...each('/swap/v1/999/quotes?src={WHYPE}&dst={USDC}', [
    ...[`&amounts={1e18},{10e18},{1000e18}${ALL}`, '&amounts=1,{10e18}&includeRoutes=1&maxHops=2'],
    ...['&amounts=7,0', '', '&amounts=1&dstAmountExact=3', '&amounts={1e18}&exactQuote=no'],
    ...['&amounts={1e18}&includeProtocols=test-v3&includeMeta=1', `&amounts={5e18}${FEE}`],
  ]),
  ...each('/swap/v1/999/dex-compare?', [
    ...[sale, `${token}&limit=2&includeMeta=1`, wide, 'src={WHYPE}&dst={UBTC}&amount={3e18}'],
    ...['src={HYPE}&dst={WHYPE}&amount=3', 'src={ISLAND}&dst={USDC}&amount=1', `${sale}&limit=0`],
  ]),
]

const PERMIT = '&deadline=99999999999&permit={SIGNATURE}'
const PERMIT2 = '&deadline=99999999999&permit2={SIGNATURE}'
const swaps = each('/swap/v1/999/swap?slippage=0.5&', [
  ...[
    sale,
    `${sale}&from={RICH}${ALL}`,
    `${token}&from={POOR}&skipChecks=1${ALL}`,
    `${wide}${ALL}`,
  ],
  ...[`${token}${FEE}&includeMeta=1`, `${purchase}${ALL}`, `${purchase}${FEE}&receiver={PARTNER}`],
  ...[`${sale}&gasPrice=7&gasLimit=21000&deadline=1890000000000&includeMeta=1`],
  ...[`${token}&from={POOR}&includeCalls=1&skipChecks=1`, `${sale}&from={RICH}&includeCalls=1`],
  ...[`${sale}&simulate=1&includeMeta=1`, `${sale}&from={RICH}&simulate=true`],
  ...[
    `${token}${PERMIT}&includeMeta=1`,
    `${token}${PERMIT2}&permit2Nonce=9&from={POOR}&skipChecks=1`,
  ],
  ...[`${wide}&objective=gross&maxHops=2&includeMeta=1`, `${sale}&excludePools={POOL}`],
  ...['src={HYPE}&dst={WHYPE}&amount=7&from={RICH}&includeMeta=1', `${sale}&from={RICH}&other=1`],
  // Refused.
  ...[
    '',
    `${token}&from={POOR}`,
    `${sale}&from={POOR}`,
    `${sale}&receiver={WHYPE}`,
    `${sale}&slippage=1`,
  ],
  ...[
    `${sale}&receiver={ZERO}`,
    `${sale}&includeCalls=1`,
    `${sale}${PERMIT}`,
    `${token}&permit=0x12`,
  ],
  ...[
    `${token}&permit={SIGNATURE}`,
    `${token}${PERMIT2}`,
    `${token}&permit2Nonce=1`,
    `${sale}&block=7`,
  ],
  ...[
    `${token}${PERMIT}&permit2={SIGNATURE}&permit2Nonce=1`,
    `${token}&deadline=1`,
    `${sale}&feeBps=5`,
  ],
  ...[
    `${token}${PERMIT}&simulate=1`,
    `${sale}&gasLimit=1&gasPrice=0`,
    `${sale}&maxPriceImpact=0.001`,
  ],
  ...['src={ISLAND}&dst={USDC}&amount=1&includeNearest=1', 'src={HYPE}&dst={POOR}&amount=1'],
])

const others = [
  ...each('/swap/v1/999/swap?', [
    ...[`${sale}&slippage=auto&includeMeta=1`, `${sale}&slippage=51`, sale],
    ...[`${sale}&slippage=0.004&includeMeta=1`, `${purchase}&slippage=20&includeMeta=1`],
    'src={HYPE}&dst={WHYPE}&amount=9&slippage=auto',
  ]),
  ...each('/swap/v1/999/approve/transaction?', [
    ...['tokenAddress={USDC}', 'tokenAddress={USDC}&amount=0', 'tokenAddress={HYPE}', ''],
    'tokenAddress={USDC}&amount=7&walletAddress={POOR}',
  ]),
  ...each('/swap/v1/999/approve/allowance?', [
    ...['tokenAddress={USDC}&walletAddress={POOR}', 'tokenAddress={HYPE}&walletAddress={RICH}'],
    'tokenAddress={USDC}&walletAddress={POOR}&includeMeta=1',
  ]),
  ...['/swap/v1/999/approve/spender', '/swap/v1/999/liquidity-sources', '/swap/v1/999/snapshot'],
  ...each('/swap/v1/999/snapshot?', [
    'block=123',
    'block=7',
    'snapshotId=s1_x',
    `snapshotId=s1_${'a'.repeat(52)}`,
  ]),
  ...[
    '/999/tokens',
    '/999/tokens?limit=2&page=1',
    '/999/tokens?verified=false',
    '/999/tokens/{USDC}',
  ],
  ...['/999/tokens/{HYPE}', '/999/tokens/{POOR}', '/999/tokens/x', '/1/tokens', '/x/tokens'],
  ...[
    '/swap/v1/1/quote',
    '/swap/v1/x/quote',
    '/swap/v1/1/swap',
    '/swap/v1/999/nothing',
    '/nothing',
  ],
  ...[
    '/',
    '/healthz',
    '/readyz',
    '/health',
    '/version',
    '/errors.json',
    '/openapi.json',
    '/llms.txt',
  ],
]

/** Paths and queries, asked with a key. */
export const asked: readonly string[] = [...[...quotes, ...swaps, ...others, ...askedShapes]]

/** Requests with a method or headers of their own; the first word is the method. */
export const askedOtherwise: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [`GET /swap/v1/999/quote?${sale}`, { apikey: '' }],
  [`GET /swap/v1/999/quote?${sale}`, { apikey: 'nobody' }],
  [`GET /swap/v1/999/quote?${sale}`, { 'if-none-match': 'W/"q1_{id}"' }],
  [`POST /swap/v1/999/swap?${sale}`, {}],
  [`HEAD /swap/v1/999/quote?${sale}`, {}],
  [`HEAD /swap/v1/999/quote/stream?${sale}`, {}],
  [`GET /swap/allowance-holder/price?${zeroEx}`, { '0x-version': 'v1' }],
  [`GET /swap/allowance-holder/price?${zeroEx}`, { apikey: '', '0x-api-key': 'nobody' }],
  [`GET /v2/route?${liquid}&amountIn=1`, { apikey: 'nobody' }],
  ['GET /trpc/swap/sources.getSources?input={"chainId":999}', { apikey: 'nobody' }],
]

/** Streams of quotes: the first events of each, while the market moves once. */
export const streamed: readonly string[] = each('/swap/v1/999/quote/stream?', [
  ...[sale, `${wide}${ALL}&includeRoutes=1`, `${purchase}&includeMeta=1`, `${token}${FEE}`],
  ...['', `${sale}&includeProtocols=nobody`, `${sale}&exactQuote=no&block=1&includeGraph=1`],
])

const pair = '--in HYPE --out USDC'
/** Command lines of `braid`, each run with `--json` on the market of packages/vectors. */
export const commands: readonly string[] = [
  ...each('quote ', [
    ...[
      `${pair} --amount 2500`,
      `${pair} --amount-out 20000`,
      '--in USDC --out PURR --amount 99.5',
    ],
    ...[
      `${pair} --amount 1 --max-hops 1`,
      `${pair} --amount 0`,
      '--in HYPE --out NOBODY --amount 1',
    ],
    `${pair} --amount 10 --exclude-protocols nobody`,
  ]),
  ...[`explain ${pair} --amount 2500`, `curve ${pair} --amounts 1,10,100`, 'snapshot info'],
  ...each(`compare ${pair} --amount 500`, ['', ' --by venue', ' --by pool', ' --by token']),
  ...each('swap ', [
    ...[`${pair} --amount 1.5 --slippage 0.3`, `${pair} --amount-out 20 --slippage 1`],
    `--in USDC --out HYPE --amount 30 --fee-bps 30 --fee-recipient {PARTNER}`,
  ]),
  'simulate --orders orders.csv',
]

/** The orders of `braid simulate`. */
export const orders = 'in,out,amount\nHYPE,USDC,10\nUSDC,PURR,250\nHYPE,USDC,0.000001\n'
