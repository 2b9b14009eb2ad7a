import type { KeyStore } from '../keys/keyStore.js'
import { addCounter, addGauge, type InRegistry } from './readers.js'

/** Reads the faults of the parts of the API. */
export type Faults = {
  /** Why the keys could not be read again, if they could not, and which of them. */
  readonly keys: Pick<KeyStore, 'fault' | 'unreadable'>
  /** Attempts to save the market that failed, since the start. */
  readonly failedSaves: () => number
}

/** Adds faults that change no answer at once, and that nothing else tells of. */
export function addFaultMetrics(metrics: InRegistry, { keys, failedSaves }: Faults): void {
  const help =
    'Keys that cannot be read, and are not accepted; one more while none can be read again'
  const { fault, unreadable } = keys
  if (fault) {
    addGauge(metrics, 'braid_keys_unreadable', help, () => {
      return (unreadable?.().length ?? 0) + Number(fault() !== undefined)
    })
  }
  addCounter(metrics, 'braid_failed_saves_total', 'Failed attempts to save the market', failedSaves)
}
