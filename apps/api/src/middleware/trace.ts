import type { Trace, Tracing } from '../tracing/trace.js'
import type { ApiMiddleware } from './state.js'

/**
 * Traces each request whose key is valid: what anybody can send without a key costs no span. Values of
 * the path and of the query stay out, because they contain addresses of wallets.
 */
export function traceRequests(
  tracing: Tracing,
  { chainId }: { readonly chainId: number },
): ApiMiddleware {
  return async (ctx, next) => {
    const trace: Trace = { parts: [], facts: { 'braid.chain_id': chainId } }
    ctx.state.trace = trace
    const startMs = performance.now()
    await next()
    const { state, status, method, req } = ctx
    if (!state.key) return
    const { requestId, quoteId, code } = state
    Object.assign(trace.facts, {
      'http.request.method': method,
      'http.route': String(ctx['_matchedRoute'] ?? 'none'),
      'http.response.status_code': status,
      'braid.request_id': requestId,
      ...(quoteId !== undefined && { 'braid.quote_id': quoteId }),
      ...(code !== undefined && { 'error.type': code }),
    })
    const { headers } = req
    const ended = { ...trace, startMs, endMs: performance.now(), status, headers }
    tracing.add({ ...ended, ...(code !== undefined && { code }) })
  }
}
