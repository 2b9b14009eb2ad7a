import { type Logger, pino } from 'pino'
import { withoutKeys } from '../wire/errorBody.js'

/**
 * A log of JSON lines. It redacts API keys, and cuts the nodes' URLs after the host, because their
 * paths and queries often contain keys.
 */
export function createLog(
  { level, rpcUrls }: { readonly level: string; readonly rpcUrls: readonly string[] },
  destination?: { readonly write: (line: string) => void },
): Logger {
  const streamWrite = (line: string) =>
    rpcUrls.reduce((text, url) => text.replaceAll(url, originOf(url)), withoutKeys(line))
  const options = { level, hooks: { streamWrite } }
  return destination ? pino(options, destination) : pino(options)
}

function originOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
