import type { PayBy, SwapProgress, SwapStep } from '@braid-swap/client'
import { useEffect, useState } from 'preact/hooks'
import type { PageConfig } from '../pageConfig.js'
import { Transaction } from '../wallet/transaction.js'

/** Says how the visitor authorizes the amount. */
const allowWords: Readonly<Record<Exclude<PayBy, 'calls'>, string>> = {
  approval: 'Authorize exactly this amount',
  permit: 'Sign a permit for exactly this amount',
  permit2: 'Sign a Permit2 transfer of exactly this amount',
}

/** What the wallet asks for meanwhile. */
const askWords: Readonly<Record<Exclude<PayBy, 'calls'>, string>> = {
  approval: 'Confirm the approval',
  permit: 'Sign the message',
  permit2: 'Confirm the approval of Permit2 if it asks for one, then sign the message',
}

/** After this time the page says what to do about a transaction that is not mined. */
const LONG_MS = 20_000

type StepsProps = {
  readonly progress: SwapProgress
  readonly isFailed: boolean
  /** Undefined if nothing must be authorized. */
  readonly payBy: PayBy | undefined
  readonly isWallet: boolean
  readonly config: PageConfig
}

/** The steps of a swap under way, with what the visitor has to do at each. */
export function Steps({ progress, isFailed, payBy, isWallet, config }: StepsProps) {
  const steps: readonly (readonly [SwapStep, string])[] = [
    ['check', 'Check the network and the router'],
    ...(payBy && payBy !== 'calls' ? ([['allow', allowWords[payBy]]] as const) : []),
    ['build', 'Request the transaction'],
    ['verify', 'Check that it matches the order'],
    ['send', sendWords(isWallet, payBy)],
    ['confirm', 'Wait until it is mined'],
  ]
  // A step without a line of its own is part of the check.
  const now = Math.max(
    steps.findIndex(([step]) => step === progress.step),
    0,
  )
  return (
    <>
      <ol class="steps" aria-live="polite">
        {steps.map(([step, words], i) => (
          <li
            key={step}
            class={i < now ? 'done' : i > now ? '' : isFailed ? 'failed' : 'now'}
            aria-current={i === now ? 'step' : undefined}
          >
            {words}
          </li>
        ))}
      </ol>
      {!isFailed && <Notes {...{ progress, payBy, isWallet, config }} />}
      {progress.sent?.hash && <Transaction hash={progress.sent.hash} config={config} />}
    </>
  )
}

function sendWords(isWallet: boolean, payBy: PayBy | undefined): string {
  if (!isWallet) return 'Send it'
  return payBy === 'calls'
    ? 'Confirm approval and swap in your wallet'
    : 'Confirm it in your wallet'
}

function Notes({ progress, payBy, isWallet, config }: Omit<StepsProps, 'isFailed'>) {
  const isLong = useIsLong(progress.step === 'confirm')
  const { step, usesBigBlocks } = progress
  if (isWallet && step === 'allow' && payBy && payBy !== 'calls') {
    return (
      <p class="soft fine note">{askWords[payBy]} in your wallet. It is for this amount only.</p>
    )
  }
  const rare = config.chain.blocks[1]
  if (usesBigBlocks && rare) {
    return (
      <p class="soft fine note" data-testid="big-block">
        Your wallet sends into {rare.name} blocks{rare.choice && ` (${rare.choice})`}, one in{' '}
        {rare.everyMs / 1_000} s. The price may move until one comes; below the minimum received,
        the swap reverts.
      </p>
    )
  }
  if (!isLong || !isWallet) return null
  return (
    <p class="soft fine note">
      Not mined yet. If the network fee is too low, speed the transaction up in your wallet. Do not
      send the swap twice.
    </p>
  )
}

function useIsLong(isWaiting: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    setLong(false)
    if (!isWaiting) return
    const timer = setTimeout(() => setLong(true), LONG_MS)
    return () => clearTimeout(timer)
  }, [isWaiting])
  return isLong
}
