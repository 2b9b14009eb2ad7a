import type { IncomingMessage } from 'node:http'
import { Router } from '@koa/router'
import { z } from 'zod'
import type { Demo } from '../config/pageSettings.js'
import { ApiError } from '../errors.js'
import type { Page, PageFile } from '../http/page.js'
import type { ApiContext, ApiMiddleware, RequestState } from '../middleware/state.js'
import type { Need } from '../need.js'

/**
 * Content security policy: no other origins, no inline code, no framing
 * except by sites that the operator names. Images may be data, because
 * wallets announce their icons so (EIP-6963); an image runs no code.
 */
const POLICY = [
  "default-src 'none'",
  ...['script', 'style', 'font', 'connect'].map((kind) => `${kind}-src 'self'`),
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The policy of a document that sites of these origins may embed. */
function policyFor(frames: readonly string[]): string {
  return `${POLICY}; frame-ancestors ${frames.length > 0 ? frames.join(' ') : "'none'"}`
}

/** The page: its document for browsers at `/`, its files, its settings, and the node of a devnet. */
export function pageRoutes(need: Need, page: Page): Router<RequestState> {
  const { chainId, router, wrappedNative, usdTokens, demo, page: own, keyless } = need.config
  const { name, native, rpcUrl, explorer = null, blocks, systemAddresses } = need.config.chain
  const chain = { name, native, rpcUrl, explorer, blocks, systemAddresses }
  const routes = new Router<RequestState>({ sensitive: true })
  routes.get('/', documentRoute(page, need.config.page?.frames ?? []))
  routes.get(['/assets/:file', '/:file.svg'], fileRoute(page))
  routes.get('/page.json', (ctx) => {
    ctx.set('cache-control', 'no-store')
    const settings = { chainId, router, wrappedNative, usdTokens, demo: demo ?? null }
    const access = { apiKey: own?.key ?? null, isKeyless: keyless }
    const executors = need.routerCode.executors()
    ctx.body = { ...settings, ...access, recorded: recordedAt(need), chain, executors }
  })
  if (demo) routes.post('/demo/rpc', demoNodeRoute(need, demo))
  return routes
}

/** The block of a market that stays as it is; null if it follows a chain. */
function recordedAt({ market }: Need) {
  const state = market.recorded && market.current()
  if (!state) return null
  const { number, timestamp } = state.graph.snapshot.block
  return { blockNumber: `${number}`, blockTimestamp: Number(timestamp) }
}

function documentRoute(page: Page, frames: readonly string[]): ApiMiddleware {
  const document = page.get('/')
  return async (ctx, next) => {
    if (!document || ctx.accepts('json', 'html') !== 'html') return next()
    send(ctx, document)
    ctx.set({
      'cache-control': 'no-cache',
      'content-security-policy': policyFor(ctx.query['embed'] === '1' ? frames : []),
      'referrer-policy': 'no-referrer',
    })
  }
}

function fileRoute(page: Page): ApiMiddleware {
  return async (ctx, next) => {
    const file = page.get(ctx.path)
    if (!file) return next()
    send(ctx, file)
    // File names change with their contents.
    ctx.set('cache-control', 'public, max-age=31536000, immutable')
  }
}

function send(ctx: ApiContext, { extension, body, gzipped }: PageFile): void {
  const isGzipped = gzipped !== undefined && ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  ctx.body = isGzipped ? gzipped : body
  ctx.type = extension
  if (isGzipped) ctx.set('content-encoding', 'gzip')
  ctx.set('x-content-type-options', 'nosniff')
}

const MAX_BODY = 65_536
const MAX_TYPED_DATA = 4_096

/** Requests that the page may send to the node of a devnet, for the account of the demo only. */
function questionSchema({ account }: Demo) {
  const hex = z.string().regex(/^0x[0-9a-fA-F]*$/)
  const from = z.string().refine((text) => text.toLowerCase() === account)
  const call = z.strictObject({
    ...{ from: from.optional(), to: hex, data: hex, value: hex.optional() },
    ...{ maxFeePerGas: hex.optional(), maxPriorityFeePerGas: hex.optional() },
  })
  const transaction = z.strictObject({
    ...{ from, to: hex, data: hex, value: hex, gas: hex.optional() },
    ...{ maxFeePerGas: hex, maxPriorityFeePerGas: hex, chainId: hex.optional() },
  })
  const logs = z.strictObject({
    ...{ address: hex, topics: z.array(hex.nullable()).max(4), fromBlock: hex, toBlock: hex },
  })
  const latest = z.literal('latest')
  const question = <M extends string, P extends z.ZodType>(method: M, params: P) =>
    z.strictObject({ method: z.literal(method), params })
  return z.discriminatedUnion('method', [
    question('eth_getBalance', z.tuple([hex, latest])),
    question('eth_call', z.tuple([call, latest])),
    question('eth_sendTransaction', z.tuple([transaction])),
    question('eth_estimateGas', z.tuple([call])),
    question('eth_gasPrice', z.tuple([]).optional()),
    question('eth_blockNumber', z.tuple([]).optional()),
    question('eth_getTransactionCount', z.tuple([from, z.enum(['latest', 'pending'])])),
    question('eth_getTransactionReceipt', z.tuple([hex])),
    question('eth_getTransactionByHash', z.tuple([hex])),
    question('eth_getBlockByNumber', z.tuple([hex, z.boolean()])),
    question('eth_getLogs', z.tuple([logs])),
    question('eth_getCode', z.tuple([hex, latest])),
    question('eth_signTypedData_v4', z.tuple([from, z.string().max(MAX_TYPED_DATA)])),
  ])
}

function demoNodeRoute({ client, askNode }: Need, demo: Demo): ApiMiddleware {
  const schema = questionSchema(demo)
  return async (ctx) => {
    ctx.set('cache-control', 'no-store')
    // JSON only, because a page of another origin then needs a CORS preflight, which is refused.
    const parsed = ctx.is('application/json')
      ? schema.safeParse(await readJson(ctx.req))
      : undefined
    if (!parsed?.success) {
      throw new ApiError('INVALID_BODY', 'the body is not a request that the demo forwards')
    }
    const ask = () => client.request(parsed.data as Parameters<typeof client.request>[0])
    ctx.body = { result: await askNode(ask) }
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY) throw new ApiError('INVALID_BODY', `the body exceeds ${MAX_BODY} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
