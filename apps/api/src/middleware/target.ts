import type { ApiMiddleware } from './state.js'

/**
 * Brings the absolute form of a target (RFC 9112, 3.2.2) to the origin form, because Koa fails on one
 * that is not a URL.
 */
export const readTarget: ApiMiddleware = async (ctx, next) => {
  const { url } = ctx
  if (!url.startsWith('/') && url !== '*') {
    ctx.state.isMalformed = !URL.canParse(url)
    const { pathname, search } = new URL(ctx.state.isMalformed ? 'http://x/' : url)
    ctx.req.url = pathname + search
  }
  await next()
}
