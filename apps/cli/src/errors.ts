import { BaseError } from '@braid-swap/core'
import { percentWords } from '@braid-swap/core/advanced'
import { ZodError } from 'zod'

/** The command line is invalid. */
export class UsageError extends BaseError {
  readonly code = 'USAGE'
}

/** A named file is missing or has the wrong format. */
export class FileError extends BaseError {
  readonly code = 'FILE_UNREADABLE'

  constructor(file: string, why: string, cause?: unknown) {
    const reason = cause === undefined ? '' : `: ${reasonOf(cause)}`
    super(`${file}: ${why}${reason}`, { file }, cause)
  }
}

/** The reason of a failed read, write or check, in one line and without the path. */
function reasonOf(cause: unknown): string {
  if (cause instanceof ZodError) {
    const [issue] = cause.issues
    const at = issue?.path.length ? `${issue.path.join('.')}: ` : ''
    const said = issue?.message ?? cause.message
    return `${at}${said.replace(/^Invalid input: .* received undefined$/, 'is missing')}`
  }
  const text = cause instanceof Error ? cause.message : String(cause)
  // Node writes `ENOENT: no such file or directory, open '/path'`.
  return text.replace(/, \w+( '.*')?$/s, '').split('\n', 1)[0]!
}

/** No known token has this symbol or address. */
export class UnknownTokenError extends BaseError {
  readonly code = 'UNKNOWN_TOKEN'
}

/** Several tokens have this symbol; only an address is unambiguous. */
export class AmbiguousTokenError extends BaseError {
  readonly code = 'AMBIGUOUS_TOKEN'
}

/** The API has seen too few blocks to suggest a slippage. */
export class NoSuggestionError extends BaseError {
  readonly code = 'NOT_READY'

  constructor() {
    super('the API suggests no slippage for this order yet', {
      wanted: 'another try in some seconds, or a slippage in percent',
    })
  }
}

/** An API has no quote for any of several amounts; the code is the API's for the first of them. */
export class NoQuotesError extends BaseError {
  readonly code: string

  constructor({ code, message }: { readonly code: string; readonly message: string }) {
    super(message)
    this.code = code
  }
}

/** A transaction, chain or pool differs from what was expected. */
export class MismatchError extends BaseError {
  readonly code = 'MISMATCH'
}

/** The caller's own limit of a swap: the least output, or for a wanted output the most input. */
export type OwnLimit = 'floor' | 'maximum'

/** An API built the swap, and only the API itself says what it should pay or cost. */
export class NoOwnLimitError extends BaseError {
  readonly code: 'NO_OWN_FLOOR' | 'NO_OWN_MAXIMUM'

  constructor(limit: OwnLimit, why: string, cause?: unknown) {
    const [verb, options] =
      limit === 'floor'
        ? ['pay', '--min or --min-rate, the least that you accept']
        : ['cost', '--max-amount-in or --min-rate, the most that you pay']
    const wanted = `${options}, or --rpc with --venues to quote the order on`
    super(`only the API says what this swap should ${verb}: ${why}`, { wanted }, cause)
    this.code = limit === 'floor' ? 'NO_OWN_FLOOR' : 'NO_OWN_MAXIMUM'
  }
}

/** The quote pays less, or for a wanted output sells more, than the caller accepts. */
export class OwnLimitError extends BaseError {
  readonly code: 'BELOW_OWN_FLOOR' | 'ABOVE_OWN_MAXIMUM'

  constructor(limit: OwnLimit, got: string, accepted: string) {
    const [message, wanted] =
      limit === 'floor'
        ? ['the quote is below your own floor', `at least ${accepted}`]
        : [
            'the swap sells more than your own maximum',
            `at most ${accepted}; a smaller --slippage sells less`,
          ]
    super(message, { got, wanted })
    this.code = limit === 'floor' ? 'BELOW_OWN_FLOOR' : 'ABOVE_OWN_MAXIMUM'
  }
}

/** The caller was asked and did not agree. Nothing was approved or sent. */
export class DeclinedError extends BaseError {
  readonly code = 'DECLINED'

  constructor() {
    super('not confirmed, so nothing was approved or sent', { wanted: 'yes' })
  }
}

/** The price impact of the quote exceeds the limit of the caller, or is unknown. */
class PriceImpactError extends BaseError {
  readonly code = 'PRICE_IMPACT_TOO_HIGH'
}

/** Throws PRICE_IMPACT_TOO_HIGH unless an impact is known and at most the limit, if there is one. */
export function requireImpact(bps: number | null | undefined, limitBps: number | undefined): void {
  if (limitBps === undefined || (typeof bps === 'number' && bps <= limitBps)) return
  throw new PriceImpactError('the price impact exceeds the limit', {
    got: typeof bps === 'number' ? percentWords(bps) : 'unknown',
    wanted: `at most ${percentWords(limitBps)}`,
  })
}

/** The market refuses an order: core's error in words for people. */
export class OrderRefusedError extends BaseError {
  readonly code: string

  constructor(message: string, refused: BaseError) {
    super(message, refused.details, refused)
    this.code = refused.code
  }
}

/** A finding in the quote is for the owner of the order to accept, and nobody has. */
export class NotAcceptedError extends BaseError {
  readonly code = 'NOT_ACCEPTED'

  constructor(open: readonly { readonly code: string; readonly message: string }[]) {
    const codes = open.map(({ code }) => code).join(',')
    super(`this must be accepted first: ${codes}`, {
      reason: open.map(({ message }) => message).join('; '),
      wanted: `--accept ${codes} if its owner does, or a smaller amount`,
    })
  }
}

/** The market has no pools, so nothing can be quoted. */
export class NoPoolsError extends BaseError {
  readonly code = 'NO_POOLS'
}

/** Some orders of a file, or an order on all of several snapshots, have no quote; the results are printed. */
export class UnfilledError extends BaseError {
  readonly code = 'ORDERS_UNFILLED'
}
