/**
 * Turns what wallets throw into errors with one code for each situation. Wallets agree on the numbers
 * of EIP-1193, EIP-1474, EIP-3326 and EIP-5792, but not on texts.
 */
import { causesOf } from '@braid-swap/client'
import { BaseError } from '@braid-swap/core'

/** The situations that the visitor can act on. */
export type WalletCode =
  | 'WALLET_REJECTED'
  | 'WALLET_BUSY'
  | 'WALLET_LOCKED'
  | 'WALLET_CHAIN_UNKNOWN'
  | 'WALLET_OTHER_NETWORK'
  | 'WALLET_DISCONNECTED'
  | 'WALLET_UNSUPPORTED'
  | 'WALLET_FUNDS'
  | 'WALLET_FAILED'
  | 'SWAP_UNDER_WAY'
  | 'DECIMALS_DIFFER'

/** A fault of the wallet or of a transaction that it sent. */
export class WalletError extends BaseError {
  readonly code: WalletCode

  constructor(
    code: WalletCode,
    message: string,
    { details, cause }: { details?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(message, details, cause)
    this.code = code
  }
}

const codes: ReadonlyMap<number, WalletCode> = new Map([
  [4001, 'WALLET_REJECTED'],
  // WalletConnect's own number for a rejection.
  [5000, 'WALLET_REJECTED'],
  [-32002, 'WALLET_BUSY'],
  [4100, 'WALLET_LOCKED'],
  [4902, 'WALLET_CHAIN_UNKNOWN'],
  [4900, 'WALLET_DISCONNECTED'],
  [4901, 'WALLET_DISCONNECTED'],
  [4200, 'WALLET_UNSUPPORTED'],
  [-32601, 'WALLET_UNSUPPORTED'],
  [5700, 'WALLET_UNSUPPORTED'],
  [5750, 'WALLET_REJECTED'],
  [5760, 'WALLET_UNSUPPORTED'],
])

/** The error of a wallet as a {@link WalletError}; errors of ours pass unchanged. */
export function walletErrorOf(error: unknown): BaseError {
  const all = causesOf(error)
  // viem wraps what our own provider throws, and the client wraps what a wallet's node does.
  const ours = all.filter((each) => each instanceof BaseError)
  const own = ours.find(({ code }) => code !== 'RPC_FAILED')
  if (own) return own
  const found = all.map(({ code }) => codes.get(Number(code))).find((code) => code !== undefined)
  const text = all.map(({ details, message }) => `${details ?? message ?? ''}`)
  const isPoor = text.some((words) => /insufficient funds|exceeds (the )?balance/i.test(words))
  const code = found ?? (isPoor ? 'WALLET_FUNDS' : 'WALLET_FAILED')
  const said = all.at(-1)
  const message = `${said?.details ?? said?.message ?? error}`.split('\n')[0] ?? ''
  return new WalletError(code, message, { cause: error })
}
