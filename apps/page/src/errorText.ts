/** What went wrong, in words for a person: one title, and a detail only where it adds something. */
import { BadAnswerError, RefusedError, UnreachableError } from '@braid-swap/client'
import { type Address, BaseError } from '@braid-swap/core'
import { amountText, symbolOf, type Tokens } from './text.js'

/** An error as the page shows it. */
export type ErrorText = {
  readonly title: string
  readonly detail?: string
  /** Further faults of the request, where it has several. */
  readonly faults: readonly string[]
  readonly code: string
  readonly requestId?: string
  readonly isAskedAgain: boolean
}

type Told = { readonly title: string; readonly detail?: string }

/** Codes whose title says it all; what the API says beside it would be the same again. */
const titles: ReadonlyMap<string, string> = new Map([
  ['NO_ROUTE', 'No pools connect these tokens'],
  ['INSUFFICIENT_LIQUIDITY', 'The market cannot take this much'],
  ['AMOUNT_TOO_SMALL', 'Too little to bring anything'],
  ['STATE_STALE', 'No new block has arrived for a while'],
  ['NOT_READY', 'The API is still reading the market'],
  ['RATE_LIMITED', 'Too many requests for this key'],
])

/** Codes whose title is followed by what the error itself says. */
const headings: ReadonlyMap<string, string> = new Map([
  ['MISMATCH', 'The transaction is not what was asked, so it was not sent'],
  ['PRICE_MOVED', 'The price moved, so nothing was sent'],
  ['DEMO_NODE', 'The devnet did not take the transaction'],
])

/** Describes any error that the page may meet. */
export function describeError(error: unknown, tokens: Tokens): ErrorText {
  const code = error instanceof BaseError ? error.code : 'UNEXPECTED'
  const { title, detail } = tellError(error, code, tokens)
  const refused = error instanceof RefusedError ? error : undefined
  const said = [title, detail ?? ''].join(' ')
  const messages = (refused?.issues ?? []).map(({ message }) => message)
  const isNew = (message: string) => messages.length > 1 && !said.includes(message)
  return {
    ...{ title, code, isAskedAgain: refused?.retryable ?? error instanceof UnreachableError },
    ...(detail !== undefined && { detail }),
    ...(refused && { requestId: refused.requestId }),
    faults: [...new Set(messages.filter(isNew))],
  }
}

function tellError(error: unknown, code: string, tokens: Tokens): Told {
  if (error instanceof UnreachableError) return { title: 'The API does not answer' }
  const message = error instanceof Error ? error.message : `${error}`
  if (error instanceof BadAnswerError) {
    return { title: 'This is not the answer of a Braid API', detail: message }
  }
  const title = titles.get(code)
  if (title !== undefined) return { title }
  const withAmounts = error instanceof BaseError ? tellAmounts(error, tokens) : undefined
  if (withAmounts) return withAmounts
  const isRefused = error instanceof RefusedError
  return {
    title: headings.get(code) ?? (isRefused ? 'The API refused' : 'That did not work'),
    detail: message,
  }
}

/** Refusals that carry amounts in wei, told in whole tokens. */
function tellAmounts({ code, details }: BaseError, tokens: Tokens): Told | undefined {
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
    const detail = `It holds ${available}; ${required} is needed.`
    return { title: 'The account holds less than this', detail }
  }
  if (code !== 'ALLOWANCE_INSUFFICIENT') return undefined
  const detail = `It may take ${available}; ${required} is needed.`
  return { title: 'The router may not take this much', detail }
}
