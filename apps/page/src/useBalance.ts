import type { Address } from '@braid-swap/core'
import { useEffect, useState } from 'preact/hooks'
import { readBalance } from './demoNode.js'

const EVERY_MS = 5_000

/** What a devnet's account holds of a token, in wei; undefined while it is not known. */
export function useBalance(
  account: Address | undefined,
  token: Address,
  /** Counts what was sent: the balance is another one after. */
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
