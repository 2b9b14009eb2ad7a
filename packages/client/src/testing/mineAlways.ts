import { setTimeout as sleep } from 'node:timers/promises'
import type { Devnet } from '@braid-swap/devnet'

/** Mines blocks, while `isMining` says so, until the function returned is called. */
export function mineAlways(devnet: Devnet, isMining: () => boolean = () => true) {
  let isDone = false
  const mining = (async () => {
    while (!isDone) {
      if (isMining()) await devnet.mine()
      await sleep(20)
    }
  })()
  return async () => {
    isDone = true
    await mining
  }
}
