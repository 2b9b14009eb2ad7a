import { readBalance } from '@braid-swap/client'
import type { Address } from '@braid-swap/core'
import { useEffect, useState } from 'preact/hooks'
import type { Payer } from '../wallet/payer.js'

const EVERY_MS = 5_000

/** The payer's balance of a token, in wei; undefined while it is unknown. */
export function useBalance(
  payer: Payer | undefined,
  token: Address,
  /** The number of swaps sent, because each one changes the balance. */
  sent: number,
): bigint | undefined {
  const [read, setRead] = useState<{ readonly of: string; readonly balance: bigint }>()
  const key = `${payer?.kind} ${payer?.address} ${token} ${sent}`
  useEffect(() => {
    if (!payer) return
    let isGone = false
    const ask = () => {
      if (document.hidden) return
      readBalance(payer.client, { token, owner: payer.address }).then(
        (balance) => !isGone && setRead({ of: key, balance }),
        () => {},
      )
    }
    ask()
    const timer = setInterval(ask, EVERY_MS)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [key])
  return read?.of === key ? read.balance : undefined
}
