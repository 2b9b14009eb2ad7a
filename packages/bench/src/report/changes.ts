/**
 * Compares a run with the report before it. Input: the findings of this run and the figures of that
 * report. Output: figures that got worse, and figures that got better.
 */
import type { Figure, Finding } from '../goals/goal.js'

/** A figure with its value before. */
export type Change = Figure & { readonly key: string; readonly before: number }

// Times vary by this part between runs on one machine; all else is deterministic.
const MIN_CHANGE_OF_TIME = 0.1
// A smaller part is not worth a line.
const MIN_CHANGE = 0.005

/** The name of a figure across goals. */
export function figureKey(goal: string, { name }: Pick<Figure, 'name'>): string {
  return `${goal}: ${name}`
}

/** The figures that differ from the report before, in the order of the goals. */
export function changesOf(
  findings: readonly Finding[],
  previous: ReadonlyMap<string, number>,
): { readonly worse: readonly Change[]; readonly better: readonly Change[] } {
  const changes = findings.flatMap(({ name: goal, figures }) =>
    figures.flatMap((figure): Change[] => {
      const key = figureKey(goal, figure)
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
  const least = / ms$|\/s$/.test(name) ? MIN_CHANGE_OF_TIME : MIN_CHANGE
  return Math.abs(value - before) > least * Math.abs(before)
}
