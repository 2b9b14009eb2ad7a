/**
 * Describes the machine of a report. On a virtual machine, others on the same host take processor time
 * that no process list shows, and latencies grow with it; a reader has to know how much it was.
 */
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

const atStart = readProcessorTime()

/** Processors, memory and, where the system counts it, the share of the time wanted since start that the host kept. */
export function describeMachine(): string {
  const [cpu] = cpus()
  const size = `${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  const now = readProcessorTime()
  if (!atStart || !now) return size
  const kept = now.kept - atStart.kept
  const wanted = now.got - atStart.got + kept
  return `${size}, ${((100 * kept) / Math.max(1, wanted)).toFixed(1)} % of the processor time kept by the host`
}

/** Ticks that processes got, and that they wanted and the host kept; `undefined` outside Linux. */
function readProcessorTime() {
  try {
    return processorTimeOf(readFileSync('/proc/stat', 'utf8'))
  } catch {
    return undefined
  }
}

/** Reads the first line of `/proc/stat`; see proc_stat(5). */
export function processorTimeOf(stat: string): { readonly got: number; readonly kept: number } {
  const ticks = stat.slice(0, stat.indexOf('\n')).trim().split(/\s+/).slice(1).map(Number)
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, kept = 0] = ticks
  return { got: user + nice + system + irq + softIrq, kept }
}
