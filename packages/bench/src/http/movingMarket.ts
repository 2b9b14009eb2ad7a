/** The recorded market with a block every second, and the solver alone on it. */
import { advance, type Graph, type Order, type Snapshot, toHex } from '@braid-swap/core'
import { generateBlockDiff } from '../markets/blockDiff.js'
import type { Solved } from './messages.js'
import { solve } from './servedMarket.js'

/** Pools that a block changes. */
const MOVED = 50
const BLOCK_MS = 1_000

/** A market whose blocks can be switched on and off. */
export type MovingMarket = {
  readonly snapshot: () => Snapshot
  readonly setBlocks: (on: boolean) => void
}

/** Starts with the market at rest; `onBlock` gets each block after that. */
export function createMovingMarket(
  first: Snapshot,
  onBlock: (snapshot: Snapshot) => void,
): MovingMarket {
  let snapshot = first
  let timer: NodeJS.Timeout | undefined
  const mine = () => {
    const number = snapshot.block.number + 1n
    // Every second block restores the pools: without arbitrage the swaps would add up.
    const pools =
      number % 2n === 1n
        ? generateBlockDiff(first, MOVED, Number(number))
        : first.pools.filter((pool, i) => pool !== snapshot.pools[i])
    const block = { ...snapshot.block, number, hash: toHex(number, 32) }
    snapshot = advance(snapshot, { block, pools })
    onBlock(snapshot)
  }
  return {
    snapshot: () => snapshot,
    setBlocks: (on) => {
      clearInterval(timer)
      if (on) timer = setInterval(mine, BLOCK_MS)
    },
  }
}

/** The solver alone on some orders. */
export type SolverAlone = {
  /** Solves the next orders of their sequence for some seconds, and says what each took. */
  readonly time: (graph: Graph, seconds: number) => readonly Solved[]
}

/** Begins with the first order, and goes on where the last call ended. */
export function createSolverAlone(orders: readonly Order[]): SolverAlone {
  let next = 0
  return {
    time: (graph, seconds) => {
      const solved: Solved[] = []
      const startMs = performance.now()
      while (performance.now() - startMs < seconds * 1_000) {
        const order = next++ % orders.length
        const before = process.cpuUsage()
        const fromMs = performance.now()
        solve(graph, orders[order]!, { objective: 'net', shouldStop: () => false })
        const ms = performance.now() - fromMs
        const { user, system } = process.cpuUsage(before)
        solved.push({ order, ms, cpuMs: (user + system) / 1_000 })
      }
      return solved
    },
  }
}
