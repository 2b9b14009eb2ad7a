/** `--amount all`: the balance of a wallet as the amount to sell; of the native token, what its gas leaves. */
import { readBalance } from '@braid-swap/client'
import { type Address, NATIVE } from '@braid-swap/core'
import { exactAmountText } from '../draw/index.js'
import { UsageError } from '../errors.js'
import { apiOf } from '../sources/apiClient.js'
import { openClient, openMarket } from '../sources/marketSource.js'
import { callNode } from '../sources/node.js'
import { readApiTokens } from '../sources/quoteSource.js'
import {
  type ListedToken,
  labelsOf,
  nativeToken,
  readTokenFile,
  resolveToken,
} from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'
import { buildSwap, planSwap, type SwapOptions } from './planSwap.js'

type Options = Omit<SwapOptions, 'slippage' | 'deadline'> & { readonly slippage?: string }

/**
 * The options with `--amount all` replaced by the balance of `owner`, in wei, which is reported; any others
 * as they are. The native token leaves the most that the gas of this swap may cost by the fees of its own answer.
 * Throws USAGE without a node and a wallet, or if nothing is left to sell.
 */
export async function withWholeBalance<T extends Options>(
  given: T,
  owner: Address | undefined,
  terminal: Terminal,
): Promise<T> {
  if (given.amount !== 'all') return given
  const options: Options = given
  const { rpc } = options
  if (rpc === undefined || owner === undefined) {
    throw new UsageError('--amount all is the balance of a wallet', {
      wanted: '--rpc URL and --from WALLET, or an amount',
    })
  }
  const tokens = await readNames(options, terminal)
  const token = resolveToken(options.in, tokens)
  const balance = await callNode(() =>
    readBalance(openClient(rpc, options), { token: token.address, owner }),
  )
  const { amount: _, ...rest } = options
  const asked = { slippage: '0.5', deadline: '1200', ...rest, amountWei: `${balance}` }
  const left = token.address === NATIVE && balance > 0n ? await gasOf(asked, terminal) : 0n
  const text = (wei: bigint) => exactAmountText(wei, token.address, labelsOf(tokens))
  if (balance <= left) {
    throw new UsageError('nothing is left to sell', {
      got: `${text(balance)}${left > 0n ? `, and the gas may cost ${text(left)}` : ''}`,
    })
  }
  const gas = left > 0n ? `; ${text(left)} stay for gas` : ''
  terminal.err(`selling all: ${text(balance - left)}${gas}`)
  const { amount: __, ...kept } = given
  return { ...kept, amountWei: `${balance - left}` } as unknown as T
}

/** The tokens among which the one to sell is, without a market if there is another list. */
async function readNames(options: Options, terminal: Terminal): Promise<readonly ListedToken[]> {
  const native = nativeToken()
  if (['native', native.symbol.toLowerCase()].includes(options.in.toLowerCase())) return [native]
  if (options.api !== undefined) return readApiTokens(apiOf(options, terminal), options)
  if (options.tokens) return [native, ...readTokenFile(options.tokens)]
  return (await openMarket(options, terminal)).tokens
}

/** The most that the gas of a swap may cost by the fees that its answer names, in wei. */
async function gasOf({ from: _, ...options }: SwapOptions, terminal: Terminal): Promise<bigint> {
  const quiet = { ...terminal, err: () => {} }
  const { tx, meta } = (await buildSwap(await planSwap(options, quiet))).answer
  return tx.gas * (meta?.fees?.maxFeePerGas ?? tx.gasPrice)
}
