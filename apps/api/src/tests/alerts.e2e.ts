/**
 * Checks what operators look at: the alert rules and the dashboard ask only for metrics that exist, every
 * alert has its page in the documentation, and Prometheus itself accepts and fires the rules.
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type RedisServer, redisServerPath, startRedis } from '@braid-swap/feed/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createKey, type RunningApi, startApi } from '../index.js'
import { WHYPE } from '../testing/frozenMarket.js'

const folder = resolve(import.meta.dirname, '../../operations')
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

type Rule = { readonly alert: string; readonly expr: string }
const { groups } = parse(read('alerts.yml')) as { groups: { name: string; rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }
const dashboard = JSON.parse(read('grafana/dashboards/braid.json')) as { panels: Panel[] }

/** The metrics that an expression reads. */
const metricsIn = (expr: string) =>
  [...expr.matchAll(/\b(?:braid|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name)

/** Only processes that share a market have these. */
const isOfFeed = (expr: string) => /\bbraid_(feed|redis|limits)_/.test(expr)

let redis: RedisServer | undefined
let apis: readonly RunningApi[] = []
let state: string
/** Names of the series that the API offers. */
let offered: ReadonlySet<string>
beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), 'braid-alerts-'))
  const keysFile = join(state, 'keys.json')
  await createKey(keysFile, { label: 'test' })
  redis = redisServerPath ? await startRedis() : undefined
  const shared = redis ? (['all', 'api'] as const) : []
  apis = await Promise.all(
    [undefined, ...shared].map((role) =>
      startApi({
        ...{ rpcUrls: ['http://127.0.0.1:9'], keysFile, router: WHYPE, port: 0, metricsPort: 0 },
        ...(role && redis && { role, redisUrl: redis.url }),
        logLevel: 'silent',
      }),
    ),
  )
  const texts = await Promise.all(
    apis.map(async ({ metricsUrl }) => (await fetch(metricsUrl!)).text()),
  )
  const types = texts.flatMap((text) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)])
  offered = new Set(
    types.flatMap(([, name, type]) =>
      type === 'histogram' ? ['bucket', 'count', 'sum'].map((of) => `${name}_${of}`) : [name!],
    ),
  )
})
afterAll(async () => {
  await Promise.all(apis.map((api) => api.stop()))
  await redis?.stop()
  rmSync(state, { recursive: true })
})

/** Fails unless all series of an expression exist; without a Redis only those of one process do. */
function expectOffered(expr: string): void {
  expect(metricsIn(expr).length + Number(expr.includes('up{'))).toBeGreaterThan(0)
  if (isOfFeed(expr) && !redisServerPath) return
  expect(metricsIn(expr).filter((name) => !offered.has(name))).toEqual([])
}

describe('the alert rules', () => {
  it.each(rules)('$alert asks for metrics that exist', ({ expr }) => expectOffered(expr))

  it('are each explained in docs/operating.md, and nothing else is', () => {
    const page = readFileSync(resolve(folder, '../../../docs/operating.md'), 'utf8')
    const explained = [...page.matchAll(/^- `(Braid\w+)`: /gm)].map(([, name]) => name)
    expect(explained).toEqual(rules.map(({ alert }) => alert))
  })

  const hasPromtool = (() => {
    try {
      execFileSync('promtool', ['--version'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })()
  it.skipIf(!hasPromtool)('pass promtool, which also fires each of them', async () => {
    const run = promisify(execFile)
    await run('promtool', ['check', 'config', 'prometheus.yml'], { cwd: folder })
    await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: folder })
    const { tests } = parse(read('alerts.test.yml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[]
    }
    const fired = tests
      .flatMap((test) => test.alert_rule_test)
      .filter(({ exp_alerts }) => exp_alerts)
    expect(new Set(fired.map(({ alertname }) => alertname))).toEqual(
      new Set(rules.map(({ alert }) => alert)),
    )
  })
})

describe('the dashboard', () => {
  const panels = dashboard.panels.filter(({ targets }) => targets)
  it.each(panels)('$title asks for metrics that exist', ({ targets }) => {
    for (const { expr } of targets!) expectOffered(expr)
  })

  it('shows every metric of Braid that an alert reads', () => {
    const shown = new Set(
      panels.flatMap(({ targets }) => targets!.flatMap((t) => metricsIn(t.expr))),
    )
    const base = (name: string) => name.replace(/_(bucket|count|sum)$/, '')
    const bases = new Set([...shown].map(base))
    const missing = rules
      .flatMap(({ expr }) => metricsIn(expr))
      .filter((name) => !bases.has(base(name)))
    // These alerts are about one event, which their text tells.
    expect([...new Set(missing)].sort()).toEqual([
      'braid_bound_exceeded_total',
      'braid_clock_steps_total',
      'braid_nodes_disagree',
      'braid_rpc_limited_total',
    ])
  })
})
