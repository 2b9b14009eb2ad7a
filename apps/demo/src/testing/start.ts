import { freePort } from '@braid-swap/devnet/testing'
import { startDemo } from '@braid-swap/worlds/program'
import { onTestFinished } from 'vitest'

export const freePorts = async () => [await freePort(), await freePort()] as const

/** Starts a demo that ends with the test. */
export async function start(options: Partial<Parameters<typeof startDemo>[0]> = {}) {
  const demo = await startDemo({ ports: await freePorts(), blockMs: 3_000, ...options })
  onTestFinished(demo.stop)
  return demo
}
