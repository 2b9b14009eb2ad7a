// The workflows of GitHub, held to the rules that keep a release ours: no action can be replaced under its
// name, no token can do more than its job, and no text from outside is run.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

type Step = {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}
type Job = {
  readonly permissions?: Readonly<Record<string, string>>
  readonly 'timeout-minutes'?: number
  readonly steps: readonly Step[]
}
type Workflow = {
  readonly on: unknown
  readonly permissions?: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const folder = join(import.meta.dirname, '../.github/workflows')

/** What a workflow must not do, with where it does. */
function faultsOf(text: string): readonly string[] {
  const { on, permissions, jobs } = parse(text) as Workflow
  const faults: string[] = []
  // Runs with our secrets on code of others.
  if (JSON.stringify(on).includes('pull_request_target')) faults.push('pull_request_target')
  const writes = Object.entries(permissions ?? { all: 'write' }).filter(([, can]) => can !== 'read')
  if (writes.length > 0) faults.push(`every job may write ${writes.map(([what]) => what)}`)
  for (const [name, { permissions: own = {}, steps, ...job }] of Object.entries(jobs)) {
    if (job['timeout-minutes'] === undefined) faults.push(`${name} may run for six hours`)
    for (const { uses, run, with: given } of steps) {
      if (uses !== undefined && !/@[0-9a-f]{40}$/.test(uses)) faults.push(`${uses} is not a commit`)
      const keeps =
        uses?.startsWith('actions/checkout@') && given?.['persist-credentials'] !== false
      if (keeps && own['contents'] !== 'write') faults.push(`${name} leaves a token on the disk`)
      if (/\$\{\{\s*(github\.(event|head_ref)|inputs)/.test(run ?? '')) faults.push(`${run}`)
    }
  }
  // The comment is what a person reads and what an update of the commit moves.
  const pinned = [...text.matchAll(/uses: \S+@[0-9a-f]{40}(.*)$/gm)]
  for (const [line, comment] of pinned) {
    if (!/^ # v\d+\.\d+\.\d+$/.test(comment!)) faults.push(`no version beside ${line}`)
  }
  return faults
}

describe('workflows', () => {
  it.each(readdirSync(folder))('%s pins its actions and grants no more than it needs', (name) => {
    expect(faultsOf(readFileSync(join(folder, name), 'utf8'))).toEqual([])
  })

  it('finds each fault', () => {
    const text = `
on: { pull_request_target: {} }
jobs:
  a:
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020
      - run: echo \${{ github.event.pull_request.title }}
`
    expect(faultsOf(text)).toHaveLength(7)
  })
})
