import { type Logger, pino } from 'pino'
import { withoutKeys } from '../wire/errorBody.js'
import { stdoutWriter } from './lineWriter.js'

/** What steers a terminal or hides text (C1 controls, marks of direction) is not ASCII; no more is needed in a log. */
const NOT_PLAIN = /[^\n -~]/g

/**
 * A log of JSON lines in ASCII; JSON escapes other characters, because callers and nodes choose them. It redacts API
 * keys, and cuts the nodes' URLs after the host, because their paths and queries often contain keys. It goes to the
 * standard output if no destination is given.
 */
export function createLog(
  { level, rpcUrls }: { readonly level: string; readonly rpcUrls: readonly string[] },
  destination: { readonly write: (line: string) => void } = stdoutWriter(),
): Logger {
  const streamWrite = (line: string) =>
    rpcUrls
      .reduce((text, url) => text.replaceAll(url, originOf(url)), withoutKeys(line))
      .replace(NOT_PLAIN, escaped)
  return pino({ level, hooks: { streamWrite } }, destination)
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function originOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
