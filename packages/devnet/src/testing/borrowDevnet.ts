// Lends devnets to the test files of one process, one after the other. A market takes three seconds of a
// processor to set up, and almost nothing to rewind.
import { type Devnet, startDevnet } from '../devnet.js'

const idle: Devnet[] = []

/**
 * A devnet of seed 1 with manual mining, at the end of its set-up. `stop` gives it back. It ends with the
 * process. Tests that change the node's own settings or end it start one of their own.
 */
export async function borrowDevnet(): Promise<Devnet> {
  const devnet = idle.pop() ?? (await startDevnet())
  const stop = async () => {
    try {
      await devnet.rewind()
      idle.push(devnet)
    } catch {
      await devnet.stop()
    }
  }
  return { ...devnet, stop }
}
