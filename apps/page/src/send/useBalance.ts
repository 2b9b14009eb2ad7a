import type { Address } from '@braid-swap/core'
import { useEffect, useState } from 'preact/hooks'
import { readBalance } from './demoNode.js'

const EVERY_MS = 5_000

/** The balance of a devnet account in a token, in wei; undefined while it is unknown. */
export function useBalance(
  account: Address | undefined,
  token: Address,
  /** The number of swaps sent, because each one changes the balance. */
  sent: number,
): bigint | undefined {
  const [read, setRead] = useState<{ readonly of: string; readonly balance: bigint }>()
  const key = `${account} ${token} ${sent}`
  useEffect(() => {
    if (!account) return
    let isGone = false
    const ask = () =>
      readBalance(account, token).then(
        (balance) => !isGone && setRead({ of: key, balance }),
        () => {},
      )
    ask()
    const timer = setInterval(ask, EVERY_MS)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [key])
  return read?.of === key ? read.balance : undefined
}
