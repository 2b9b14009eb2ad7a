// What Prometheus fires by the rules of operations/alerts.yml, and which of it Alertmanager tells.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { parse, stringify } from 'yaml'

const folder = resolve(import.meta.dirname, '../../operations')
export const readOperations = (path: string) => readFileSync(join(folder, path), 'utf8')

/** Runs promtool where its files are. */
export const promtool = (...words: readonly string[]) =>
  promisify(execFile)('promtool', words, { cwd: folder })

export const hasPromtool = (() => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

type Matchers = readonly string[]
const { inhibit_rules: inhibitions } = parse(readOperations('alertmanager.yml')) as {
  inhibit_rules: { source_matchers: Matchers; target_matchers: Matchers }[]
}
/** The alerts that still tell somebody when these fire. */
export function toldOf(firing: readonly string[]): readonly string[] {
  const matches = (name: string, matchers: Matchers) =>
    matchers.every((one) => RegExp(`^(${/"(.*)"/.exec(one)![1]})$`).test(name))
  return firing.filter(
    (name) =>
      !inhibitions.some(
        ({ source_matchers: source, target_matchers: target }) =>
          matches(name, target) && firing.some((other) => matches(other, source)),
      ),
  )
}

/** The samples of what a process exports, without what this machine does besides: series and value. */
const samplesOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split('\n')
      .filter((line) => /^(braid_|process_start)/.test(line) && !line.endsWith(' Nan'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  )

/**
 * Fails unless Prometheus fires exactly these alerts, three minutes after what processes export changed from the one text
 * to the other. They started an hour before.
 */
export async function expectFiring(
  exported: readonly (readonly [before: string, now: string])[],
  alerts: readonly string[],
): Promise<void> {
  const series = exported.flatMap(([before, now], n) => {
    const [earlier, later] = [samplesOf(before), samplesOf(now)]
    const of = `instance="${n}",job="braid"`
    const labelled = (name: string) =>
      name.endsWith('}') ? `${name.slice(0, -1)},${of}}` : `${name}{${of}}`
    const names = [...new Set([...earlier.keys(), ...later.keys()])]
    return [
      { series: `up{${of}}`, values: '1x60' },
      ...names.map((name) => {
        const [from = '_', to = '_'] = [earlier.get(name), later.get(name)]
        const isStart = name.startsWith('process_start_time')
        return { series: labelled(name), values: isStart ? '-3600x60' : `${from}x19 ${to}x40` }
      }),
    ]
  })
  const expr = 'group by (alertname) (ALERTS{alertstate="firing"})'
  const samples = alerts.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 }))
  const state = mkdtempSync(join(tmpdir(), 'braid-alerts-'))
  const file = join(state, 'alerts.test.yml')
  writeFileSync(
    file,
    stringify({
      rule_files: [join(folder, 'alerts.yml')],
      evaluation_interval: '15s',
      tests: [
        {
          interval: '15s',
          input_series: series,
          promql_expr_test: [{ expr, eval_time: '8m', exp_samples: samples }],
        },
      ],
    }),
  )
  await promtool('test', 'rules', file).finally(() => rmSync(state, { recursive: true }))
}
