import type { KeyStore } from '../keys/keyStore.js'
import { addCounter, addGauge, type InRegistry } from './readers.js'

/** Reads the faults of the parts of the API. */
export type Faults = {
  /** Why the keys could not be read again, if they could not, and which of them. */
  readonly keys: Pick<KeyStore, 'fault' | 'unreadable'>
  /** Describes the chain that the node serves, if it is not ours. */
  readonly nodeChain: () => string | undefined
  /** Attempts to save the market that failed, since the start. */
  readonly failedSaves: () => number
}

/** Adds faults that change no answer at once, and that nothing else tells of. */
export function addFaultMetrics(
  metrics: InRegistry,
  { keys, nodeChain, failedSaves }: Faults,
): void {
  const flag = (name: string, help: string, fault: () => string | undefined) =>
    addGauge(metrics, name, help, () => Number(fault() !== undefined))
  if (keys.fault) flag('braid_keys_unreadable', '1 while the keys cannot be read again', keys.fault)
  const { unreadable } = keys
  if (unreadable) {
    const help = 'Stored keys whose record cannot be read, and which are not accepted'
    addGauge(metrics, 'braid_keys_dropped', help, () => unreadable().length)
  }
  flag('braid_node_wrong_chain', '1 while the node serves another chain', nodeChain)
  addCounter(metrics, 'braid_failed_saves_total', 'Failed attempts to save the market', failedSaves)
}
