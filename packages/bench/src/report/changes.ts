/**
 * What changed since the report before. Input: the findings of this run and the figures of that
 * report. Output: figures that got worse, and figures that got better.
 */
import { type Figure, type Finding, figureKey } from '../goals/goal.js'

/** A figure with its value before. */
export type Change = Figure & { readonly key: string; readonly before: number }

// Times vary by this much between runs on one machine; all else is deterministic.
const NOISE = 0.1
// Less is not worth a line.
const LEAST_CHANGE = 0.005

/** The figures that differ from the report before, in the order of the goals. */
export function changesOf(
  findings: readonly Finding[],
  previous: ReadonlyMap<string, number>,
): { readonly worse: readonly Change[]; readonly better: readonly Change[] } {
  const changes = findings.flatMap(({ id, figures }) =>
    figures.flatMap((figure): Change[] => {
      const key = figureKey(id, figure)
      const before = previous.get(key)
      return before === undefined || !isChange(before, figure) ? [] : [{ ...figure, key, before }]
    }),
  )
  const isWorse = ({ before, value, better }: Change) =>
    better === 'low' ? value > before : value < before
  return {
    worse: changes.filter(isWorse),
    better: changes.filter((change) => !isWorse(change)),
  }
}

function isChange(before: number, { name, value }: Figure): boolean {
  const least = / ms$/.test(name) ? NOISE * Math.abs(before) : LEAST_CHANGE * Math.abs(before)
  return Math.abs(value - before) > least
}
