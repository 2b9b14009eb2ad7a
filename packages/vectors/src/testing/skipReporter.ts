/**
 * Vitest's own report counts skipped tests but gives no reason. This reporter adds a line for each
 * reason at the end of a run, so that a run that left something out says so once and in words.
 */
import type { Reporter, TestModule } from 'vitest/node'

/** Prints `skipped: N suites, REASON` for each note of a skipped test, after all tests ran. */
export class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const line of skipLines(notesOf(modules))) console.log(line)
  }
}

/** A line for each distinct note, in order of first appearance. */
export function skipLines(notes: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const note of notes) counts.set(note, (counts.get(note) ?? 0) + 1)
  return [...counts].map(
    ([note, count]) => `skipped: ${count} ${count === 1 ? 'suite' : 'suites'}, ${note}`,
  )
}

function notesOf(modules: readonly TestModule[]): readonly string[] {
  return modules.flatMap(({ children }) =>
    [...children.allTests('skipped')].flatMap((test) => {
      const result = test.result()
      return result.state === 'skipped' && result.note !== undefined ? [result.note] : []
    }),
  )
}
