import { type Logger, pino } from 'pino'
import { withoutKeys } from '../wire/errorBody.js'
import { stdoutWriter } from './lineWriter.js'

/**
 * A log of JSON lines. It redacts API keys, and cuts the nodes' URLs after the host, because their
 * paths and queries often contain keys. It goes to the standard output if no destination is given.
 */
export function createLog(
  { level, rpcUrls }: { readonly level: string; readonly rpcUrls: readonly string[] },
  destination: { readonly write: (line: string) => void } = stdoutWriter(),
): Logger {
  const streamWrite = (line: string) =>
    rpcUrls.reduce((text, url) => text.replaceAll(url, originOf(url)), withoutKeys(line))
  return pino({ level, hooks: { streamWrite } }, destination)
}

function originOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
