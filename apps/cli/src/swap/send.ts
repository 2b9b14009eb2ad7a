import type { Client } from '@braid-swap/chain'
import {
  confirmSwap,
  type DoneSwap,
  OutcomeUnknownError,
  orderKey,
  SendError,
  type SentSwap,
  type SwapProgress,
  type SwapRequest,
  sendSwap,
} from '@braid-swap/client'
import { knownExecutors } from '@braid-swap/contracts'
import { type Address, decodeRouterCall, type Hex, readIntent } from '@braid-swap/core'
import { ownValue } from '@braid-swap/core/advanced'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { exactAmountText, nameOf, type TokenLabels } from '../draw/index.js'
import { UsageError } from '../errors.js'
import { callNode } from '../sources/node.js'
import { labelsOf } from '../sources/tokens.js'
import type { Terminal } from '../terminal.js'
import type { Built, Plan } from './planSwap.js'
import type { SwapFiles } from './swapFiles.js'

// From a swap that was shown to a mined one: the client sends it, and this program says what happens.

/** The ways to authorize the router to take the amount. */
export const PAYMENTS = ['approval', 'permit', 'permit2'] as const

/** The options of sending. */
export type SendOptions = { readonly pay: (typeof PAYMENTS)[number] }

/** The account that signs, the node that it sends through, and what is remembered of its swaps. */
export type Signer = {
  readonly account: PrivateKeyAccount
  readonly client: Client
  readonly files: SwapFiles
}

/** The account of a private key in an environment variable; a command line never contains the key. */
export function readAccount(variable: string | undefined, terminal: Terminal): PrivateKeyAccount {
  const key = variable === undefined ? undefined : ownValue(terminal.env, variable)
  if (key === undefined || !/^0x[0-9a-fA-F]{64}$/.test(key)) {
    throw new UsageError('--send needs a private key', {
      got: variable === undefined ? 'nothing' : `${variable} without one`,
      wanted: '--private-key-env VARIABLE, with 0x and 64 hex digits as its value',
    })
  }
  return privateKeyToAccount(key as Hex)
}

/**
 * Sends what was shown: the same order with the same floor and deadline, built again if an approval took
 * some blocks. `onSend` hears once what leaves now. Throws what `sendSwap` of the client does, RPC_FAILED.
 */
export async function sendBuilt(
  { account, client, files: memory }: Signer,
  { plan, built }: { readonly plan: Plan; readonly built: Built },
  { pay, terminal }: { readonly pay: SendOptions['pay']; readonly terminal: Terminal },
  onSend: (built: Built) => void,
): Promise<DoneSwap> {
  const from = account.address.toLowerCase() as Address
  let { answer } = built
  let isApproved = false
  const swap = async (request: SwapRequest) => {
    if (isApproved) answer = await plan.builder.swap(request)
    answer = { ...answer, tx: { ...answer.tx, from } }
    return answer
  }
  const onStep = (progress: SwapProgress) => {
    report(progress, terminal, labelsOf(plan.tokens))
    isApproved ||= progress.approval !== undefined
    if (progress.step !== 'send' || !progress.sent) return
    const { data } = progress.sent
    const intent = readIntent(data, plan.terms.wrappedNative)
    onSend({ ...built, intent, answer: { ...answer, tx: { ...answer.tx, data } } })
  }
  const { from: _, ...order } = plan.request
  const { call } = built.intent
  // What was shown is the least that is received, and the most that is paid.
  const limits = { minAmountOut: call.minAmountOut, maxAmountIn: call.amountIn }
  const { router, wrappedNative } = plan.terms
  const executors = knownExecutors(router, wrappedNative)
  const chainId = client.chain.id
  const terms = { ...plan.terms, ...limits, chainId, executors, maxNetworkFee: built.fee.most }
  const wallet = { account, request: client.request }
  const sending = { braid: { swap }, payBy: pay, memory, onStep }
  return sayingWhere(memory, terminal, () => sendSwap(wallet, order, terms, sending))
}

/**
 * The end of the swap that an earlier command sent for the same order; undefined if there is none, or it was
 * certainly not performed. Also says what is known of the account's other swaps. Throws OUTCOME_UNKNOWN.
 */
export async function endOfEarlier(
  { account, client, files }: Signer,
  { request, tokens }: Plan,
  terminal: Terminal,
): Promise<DoneSwap | undefined> {
  const from = account.address.toLowerCase() as Address
  const same = files.find(orderKey(request, { from }))
  const others = files.all().filter((sent) => sent.from === from && sent.id !== same?.id)
  const labels = labelsOf(tokens)
  for (const sent of others) {
    const quick = { memory: files, unknownMs: 0, waitMs: 0 }
    const end = await confirmSwap(client, sent, quick).then(doneText, textOf)
    terminal.err(`an earlier swap, ${swapText(sent, labels)}: ${end}`)
  }
  if (!same) return undefined
  terminal.err(`the same order was sent before, ${swapText(same, labels)}: looking for its end`)
  try {
    const confirm = () => confirmSwap(client, same, { memory: files })
    const done = await sayingWhere(files, terminal, confirm)
    terminal.err(`${doneText(done)}, so nothing was sent now; run the command again to swap again`)
    return done
  } catch (error) {
    if (!(error instanceof SendError)) throw error
    terminal.err(error.message)
    return undefined
  }
}

const doneText = ({ hash }: DoneSwap) => `it was performed by ${hash}`
const textOf = (error: Error) => error.message

function swapText({ data }: SentSwap, labels: TokenLabels): string {
  const { amountIn, tokenIn, tokenOut } = decodeRouterCall(data)
  return `${exactAmountText(amountIn, tokenIn, labels)} for ${nameOf(tokenOut, labels)}`
}

/** Runs what calls the node; of a swap whose end is not known, says where it is kept and what to do. */
function sayingWhere<T>(files: SwapFiles, terminal: Terminal, run: () => Promise<T>): Promise<T> {
  return callNode(run).catch((error: unknown) => {
    if (error instanceof OutcomeUnknownError) {
      terminal.err(`kept in ${files.pathOf(error.sent.terms)} until its end is known`)
      terminal.err('run the same command again to look for it: it is not sold twice meanwhile')
    }
    throw error
  })
}

function report(
  { step, approval, sent }: SwapProgress,
  terminal: Terminal,
  labels: TokenLabels,
): void {
  if (step === 'confirm') terminal.err(`handed over as ${sent?.hash}; waiting for its block`)
  if (!approval) return
  const { amount, token, spender } = approval
  const text = exactAmountText(amount, token, labels)
  const what = amount === 0n ? `revoking the allowance of ${token}` : `approving exactly ${text}`
  terminal.err(`${what} for ${spender}`)
}
