/** Metrics that are read when Prometheus asks for them. */
import { Counter, Gauge, type Registry } from 'prom-client'

/** A registry, as every part of the metrics has it. */
export type InRegistry = { readonly registry: Registry }

/** Adds a gauge; absent while there is no value, because 0 would be one. */
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
      if (value === undefined) this.remove()
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

/** Adds a gauge whose series are those that are read: labels and value. */
export function addSeries<L extends string>(
  { registry }: InRegistry,
  { name, help, labels }: { readonly name: string; readonly help: string; readonly labels: L[] },
  read: () => Iterable<readonly [Readonly<Record<L, string>>, number]>,
): void {
  new Gauge<L>({
    ...{ name, help, labelNames: labels, registers: [registry] },
    collect() {
      this.reset()
      for (const [of, value] of read()) this.set(of, value)
    },
  })
}
