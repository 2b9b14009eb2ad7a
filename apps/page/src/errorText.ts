/** Turns an error into text for the visitor: a title, and a detail only if it adds information. */
import { BadAnswerError, RefusedError, UnreachableError } from '@braid-swap/client'
import { type Address, BaseError } from '@braid-swap/core'
import { amountText, symbolOf, type Tokens } from './format.js'
import { walletWords } from './walletText.js'

/** An error as the page shows it. */
export type ErrorText = {
  readonly title: string
  readonly detail?: string
  /** Further faults of the request, if it has several. */
  readonly faults: readonly string[]
  readonly code: string
  readonly requestId?: string
  readonly isAskedAgain: boolean
}

type ErrorWords = { readonly title: string; readonly detail?: string }

/** Titles of codes that need no detail, because the API's message would repeat the title. */
const titles: ReadonlyMap<string, string> = new Map([
  ['NO_ROUTE', 'No pools connect these tokens'],
  ['AMOUNT_TOO_SMALL', 'Amount too small: the output would be zero'],
  ['STATE_STALE', 'No new block has arrived recently'],
  ['NOT_READY', 'The API is still loading the market'],
  ['RATE_LIMITED', 'Too many requests for this key'],
  ['TOKEN_NOT_FOUND', 'There is no token at this address'],
])

/** Titles of codes whose own message follows as the detail. */
const headings: ReadonlyMap<string, string> = new Map([
  ['INSUFFICIENT_LIQUIDITY', 'Not enough liquidity for this amount'],
  ['ROUTE_UNTRUSTED', 'No trusted route connects these tokens'],
  ['MISMATCH', 'The transaction does not match the order, so it was not sent'],
  ['SWAP_WOULD_REVERT', 'This swap would revert, so it was not sent'],
  ['DEMO_NODE', 'The devnet request failed'],
  ['ROUTER_UNVERIFIED', 'Your wallet’s network does not have our router, so nothing was sent'],
])

/** True if the page repeats the request, because the error may pass without the visitor. */
export function isAskedAgain(error: unknown): boolean {
  if (error instanceof RefusedError) return error.retryable
  return error instanceof UnreachableError || gatewayStatus(error) !== undefined
}

/** The status of a server in front of the API that could not reach it, such as 502. */
function gatewayStatus(error: unknown): number | undefined {
  if (!(error instanceof BadAnswerError)) return undefined
  const status = Number(error.details['status'])
  return status >= 502 && status <= 504 ? status : undefined
}

/** Describes any error that can occur on the page. */
export function describeError(error: unknown, tokens: Tokens): ErrorText {
  const code = error instanceof BaseError ? error.code : 'UNEXPECTED'
  const { title, detail } = wordsOf(error, code, tokens)
  const refused = error instanceof RefusedError ? error : undefined
  const said = [title, detail ?? ''].join(' ')
  const messages = (refused?.issues ?? []).map(({ message }) => message)
  const isNew = (message: string) => messages.length > 1 && !said.includes(message)
  return {
    ...{ title, code, isAskedAgain: isAskedAgain(error) },
    ...(detail !== undefined && { detail }),
    ...(refused && { requestId: refused.requestId }),
    faults: [...new Set(messages.filter(isNew))],
  }
}

function wordsOf(error: unknown, code: string, tokens: Tokens): ErrorWords {
  if (error instanceof UnreachableError) return { title: 'The API is not responding' }
  const message = error instanceof Error ? error.message : `${error}`
  const gateway = gatewayStatus(error)
  if (gateway !== undefined) {
    const detail = `A server in front of it answered ${gateway}.`
    return { title: 'The API is not responding', detail }
  }
  if (error instanceof BadAnswerError) {
    return { title: 'The response does not come from a Braid API', detail: message }
  }
  const alone = titles.get(code)
  if (alone !== undefined) return { title: alone }
  const withAmounts = error instanceof BaseError ? amountWords(error, tokens) : undefined
  if (withAmounts) return withAmounts
  // Only a transaction that was sent has a hash.
  const isTried = code === 'REVERTED' && !(error as BaseError).details['hash']
  const ofSending = isTried ? undefined : walletWords(code)
  if (ofSending) return { detail: message, ...ofSending }
  const title = headings.get(isTried ? 'SWAP_WOULD_REVERT' : code) ?? titleOf(error)
  return { title, detail: message }
}

function titleOf(error: unknown): string {
  if (!(error instanceof RefusedError)) return 'Something went wrong'
  return error.status < 500 ? 'The API rejected the request' : 'The API cannot answer now'
}

/** Describes refusals that carry amounts in wei, in whole tokens. */
function amountWords({ code, details }: BaseError, tokens: Tokens): ErrorWords | undefined {
  const amount = (wei: unknown, of: unknown) => {
    const token = `${of}`.toLowerCase() as Address
    const known = tokens.get(token)
    if (!known || !/^\d+$/.test(`${wei}`)) return undefined
    return `${amountText(BigInt(`${wei}`), known.decimals)} ${symbolOf(token, tokens)}`
  }
  const [available, required] = [details['available'], details['required']].map((wei) =>
    amount(wei, details['token']),
  )
  if (available === undefined || required === undefined) return undefined
  if (code === 'BALANCE_INSUFFICIENT') {
    const detail = `It has ${available}; ${required} is needed.`
    return { title: 'The account has too little for this swap', detail }
  }
  if (code === 'GAS_NOT_COVERED') {
    const detail = `It has ${available}; ${required} is needed with the gas.`
    return { title: 'The account has too little left for gas', detail }
  }
  if (code !== 'ALLOWANCE_INSUFFICIENT') return undefined
  const detail = `It may spend ${available}; ${required} is needed.`
  return { title: 'The router is not approved for this amount', detail }
}
