/**
 * The solver engine as HTTP: `POST /solve` answers an auction with solutions, `POST /notify` logs
 * the driver's report on a solution. 400 is a request that is not an auction, 500 an unavailable market: the
 * driver then goes on without this engine.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Graph } from '@braid-swap/core'
import { z } from 'zod'
import { auctionSchema } from './auction.js'
import { type Settling, solveAuction } from './solveAuction.js'

/** The market, the log and the clock of an engine. */
export type EngineOptions = Settling & {
  /** The newest market; rejects if there is none that is fresh. */
  readonly market: () => Promise<Graph>
  /** Receives a line for each event. */
  readonly log: (line: string) => void
  /** The system's clock in Unix milliseconds, with which the deadline of an auction is compared. */
  readonly now?: () => number
}

/** An auction has some megabytes with all its orders; more is no auction. */
const MAX_BODY_BYTES = 64_000_000
/** Time to send the answer before the deadline. */
const MARGIN_MS = 100

type EngineResponse = { readonly status: number; readonly body?: unknown }

/** A server of the engine, not yet listening. */
export function createEngine(options: EngineOptions): Server {
  return createServer((request, response) => {
    answer(request, options).then(
      ({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(body === undefined ? '' : JSON.stringify(body))
      },
      (error: unknown) => {
        options.log(`failed: ${error instanceof Error ? error.message : 'unknown'}`)
        response.writeHead(500, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ message: 'this auction cannot be solved now' }))
      },
    )
  })
}

async function answer(request: IncomingMessage, options: EngineOptions): Promise<EngineResponse> {
  const isKnown = request.url === '/solve' || request.url === '/notify'
  if (!isKnown) return { status: 404, body: { message: 'only /solve and /notify are served' } }
  if (request.method !== 'POST') return { status: 405, body: { message: 'use POST' } }
  const text = await readBody(request)
  if (text === undefined) return { status: 413, body: { message: 'the body is too large' } }
  if (request.url === '/notify') {
    options.log(`notified: ${describeNotice(text)}`)
    return { status: 200 }
  }
  return solve(text, options)
}

/** A notice by its known fields: a log has no text of strangers. */
function describeNotice(text: string): string {
  const parsed = noticeSchema.safeParse(parseJson(text))
  if (!parsed.success) return 'of something that is not known'
  const { kind, auctionId = '?', solutionId = '?' } = parsed.data
  return `${kind}, auction ${auctionId}, solution ${solutionId}`
}

const idText = z.union([z.int().min(0), z.string().regex(/^\d{1,20}$/)])
const noticeSchema = z.object({
  kind: z.string().regex(/^[a-zA-Z]{1,40}$/),
  auctionId: idText.nullish(),
  solutionId: idText.nullish(),
})

async function solve(text: string, { market, log, now = Date.now, ...settling }: EngineOptions) {
  const parsed = auctionSchema.safeParse(parseJson(text))
  if (!parsed.success) {
    const [fault] = parsed.error.issues
    const message = `not an auction: ${fault?.path.join('.')}: ${fault?.message}`
    return { status: 400, body: { message } }
  }
  const { data: auction } = parsed
  const endMs = Date.parse(auction.deadline) - MARGIN_MS
  const graph = await market()
  const solutions = solveAuction(auction, graph, { ...settling, isOver: () => now() >= endMs })
  const { number } = graph.snapshot.block
  log(
    `auction ${auction.id ?? '(price)'}: ${solutions.length} solutions for ${auction.orders.length} orders at block ${number}`,
  )
  return { status: 200, body: { solutions } }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
