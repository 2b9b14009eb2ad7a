import type { Client } from '@braid-swap/chain'
import { type DoneSwap, type SwapProgress, type SwapRequest, sendSwap } from '@braid-swap/client'
import { type Address, type Hex, ownValue, readIntent } from '@braid-swap/core'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { UsageError } from '../errors.js'
import { callNode } from '../sources/node.js'
import type { Terminal } from '../terminal.js'
import type { Built, Plan } from './planSwap.js'

// From a swap that was shown to a mined one: the client sends it, and this program says what happens.

/** The ways to authorize the router to take the amount. */
export const PAYMENTS = ['approval', 'permit', 'permit2'] as const

/** The options of sending. */
export type SendOptions = { readonly pay: (typeof PAYMENTS)[number] }

/** The account that signs, and the node that it sends through. */
export type Signer = { readonly account: PrivateKeyAccount; readonly client: Client }

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
  { account, client }: Signer,
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
    report(progress, terminal)
    isApproved ||= progress.approval !== undefined
    if (progress.step !== 'send' || !progress.sent) return
    const { data } = progress.sent
    const intent = readIntent(data, plan.terms.wrappedNative)
    onSend({ ...built, intent, answer: { ...answer, tx: { ...answer.tx, data } } })
  }
  const { from: _, ...order } = plan.request
  const { call } = built.intent
  // What was shown is the least that is received, and the most that is paid.
  const terms = { ...plan.terms, minAmountOut: call.minAmountOut, maxAmountIn: call.amountIn }
  const wallet = { account, request: client.request }
  return callNode(() => sendSwap(wallet, order, terms, { braid: { swap }, payBy: pay, onStep }))
}

function report({ step, approval, sent }: SwapProgress, terminal: Terminal): void {
  if (step === 'confirm') terminal.err(`sent ${sent?.hash}; waiting for its block`)
  if (!approval) return
  const { amount, token, spender } = approval
  const what = amount === 0n ? 'revoking the allowance' : `approving exactly ${amount} wei`
  terminal.err(`${what} of ${token} for ${spender}`)
}
