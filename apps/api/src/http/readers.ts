/** Metrics that are read when Prometheus asks for them. */
import { Counter, Gauge, type Registry } from 'prom-client'

/** A registry, as every part of the metrics has it. */
export type InRegistry = { readonly registry: Registry }

/** Adds a gauge; 0 while there is no value. */
export function addGauge(
  { registry }: InRegistry,
  name: string,
  help: string,
  read: () => number | undefined,
): void {
  new Gauge({
    ...{ name, help, registers: [registry] },
    collect() {
      const value = read()
      if (value === undefined) this.reset()
      else this.set(value)
    },
  })
}

/** Adds a counter of something that counts itself since the start. */
export function addCounter(
  { registry }: InRegistry,
  name: string,
  help: string,
  read: () => number,
): void {
  new Counter({
    ...{ name, help, registers: [registry] },
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}
