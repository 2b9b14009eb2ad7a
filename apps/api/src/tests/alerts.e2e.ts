/**
 * Checks what operators look at: the alert rules and the dashboard ask only for metrics that exist, every
 * alert has its page in the documentation, and Prometheus itself accepts and fires the rules.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connectRedis } from '@braid-swap/feed'
import { type RedisServer, redisServerPath, startRedis } from '@braid-swap/feed/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { close, createHttpServer, listen } from '../http/httpServer.js'
import { createKey, type RunningApi, startApi } from '../index.js'
import { USDC, WHYPE } from '../testing/frozenMarket.js'
import {
  expectFiring,
  hasPromtool,
  promtool,
  readOperations as read,
  toldOf,
} from '../testing/promtool.js'
import { NO_NODE } from '../testing/useFrozenApi.js'

const folder = resolve(import.meta.dirname, '../../operations')

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
let key: string
/** Names of the series that the API offers. */
let offered: ReadonlySet<string>
beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), 'braid-alerts-'))
  const keysFile = join(state, 'keys.json')
  ;({ key } = await createKey(keysFile, { label: 'test' }))
  redis = redisServerPath ? await startRedis() : undefined
  const shared = redis ? (['all', 'api'] as const) : []
  apis = await Promise.all(
    [undefined, ...shared].map((role) =>
      startApi({
        ...{ rpcUrls: ['http://127.0.0.1:9'], keysFile, router: WHYPE, port: 0, metricsPort: 0 },
        ...(role && redis && { role, redisUrl: redis.url }),
        ...(role === 'api' && { rpcUrls: [] }),
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

  it.skipIf(!hasPromtool)('pass promtool, which also fires each of them', async () => {
    await promtool('check', 'config', 'prometheus.yml')
    await promtool('test', 'rules', 'alerts.test.yml')
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
      .filter((name) => name.startsWith('braid_') && !bases.has(base(name)))
    expect([...new Set(missing)]).toEqual([])
  })
})

const QUOTE = `/swap/v1/999/quote?src=${WHYPE}&dst=${USDC}&amount=1000000000000000000`

describe.skipIf(!hasPromtool)(
  'by the real metrics of a service without its node, keys or Redis',
  () => {
    const scrape = async ({ metricsUrl }: RunningApi) => (await fetch(metricsUrl!)).text()
    const reasonOf = async ({ url }: RunningApi) =>
      ((await (await fetch(`${url}/readyz`)).json()) as { message: string }).message

    /** Nodes that answer nothing that is one. */
    const answers: readonly (readonly [string, RequestListener | string])[] = [
      ['that is gone', NO_NODE],
      ['whose name is unknown', 'http://node.invalid'],
      ['that takes connections and says nothing', () => {}],
      ['that sends a page', (_, response) => response.end('<html>')],
      ['that limits us', (_, response) => response.writeHead(429).end()],
      ['that is broken', (_, response) => response.writeHead(500).end()],
    ]
    it.concurrent.for(answers)('every node %s', async ([, node], { expect }) => {
      const server = createHttpServer(typeof node === 'string' ? undefined : node)
      const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
      const rpcUrl = typeof node === 'string' ? node : `http://127.0.0.1:${port}`
      const keysFile = join(state, 'keys.json')
      const api = await startApi({
        ...{ rpcUrls: [rpcUrl], keysFile, router: WHYPE, port: 0, metricsPort: 0 },
        logLevel: 'silent',
      })
      let text = ''
      const down = async () => {
        text = await scrape(api)
        return text
      }
      await expect.poll(down, { timeout: 60_000 }).toContain('braid_rpc_healthy{endpoint="0"} 0')
      const firing = ['BraidAllNodesDown', 'BraidNodeFails', 'BraidNotReady']
      await expectFiring([[text, text]], firing)
      expect(toldOf(firing)).toEqual(['BraidAllNodesDown'])
      expect(text).not.toMatch(/^braid_(state|head)_/m)
      // The cause, not only that there is no market.
      await expect.poll(() => reasonOf(api), { timeout: 60_000 }).toMatch(/; for \d+ s: /)
      await api.stop()
      server.closeAllConnections()
      await close(server)
    })

    it('keys that cannot be read', async () => {
      const [alone] = apis
      // Its node is gone too, which is another fault.
      const scrapeNode = async () => (await scrape(alone!)).replace(/^braid_rpc_healthy.*$/m, '')
      const [file, before] = [join(state, 'keys.json'), await scrapeNode()]
      const text = readFileSync(file)
      writeFileSync(file, '{')
      const asked = async () => {
        await fetch(`${alone!.url}${QUOTE}`, { headers: { apikey: key } })
        return scrapeNode()
      }
      await expect.poll(asked).toContain('braid_keys_unreadable 1')
      await expectFiring([[before, await asked()]], ['BraidNotReady', 'BraidStorageFails'])
      writeFileSync(file, text)
      await expect.poll(asked).toContain('braid_keys_unreadable 0')
    })

    it.skipIf(!redisServerPath)(
      'a reader whose market nobody publishes, or Redis that refuses',
      async () => {
        const reader = apis[2]!
        const keeper = connectRedis(redis!.url)
        await keeper.send(['HSET', 'braid:{999}:0123456789ab:lease', 'holder', 'another'])
        await expect.poll(() => reasonOf(reader), { timeout: 30_000 }).toContain('0123456789ab')
        expect(await reasonOf(reader)).toContain('BRAID_VENUES')
        const text = await scrape(reader)
        // Its indexer leads, with other venues.
        const leads = 'braid_feed_leads 1'
        await expectFiring(
          [
            [text, text],
            [leads, leads],
          ],
          ['BraidNotReady'],
        )
        const firing = ['BraidNoPublisher', 'BraidNotReady']
        await expectFiring([[text, text]], firing)
        expect(toldOf(firing)).toEqual(['BraidNoPublisher'])
        const tell = async (lines: string) => {
          for (const line of lines.split(', ')) await keeper.send(line.split(' '))
        }
        for (const [cause, cure, words] of [
          [
            'CONFIG SET requirepass other, CLIENT KILL TYPE normal',
            'CONFIG SET requirepass ',
            'NOAUTH',
          ],
          ['CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0', 'OOM'],
          ['REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE', 'READONLY'],
          ['SIGSTOP', 'SIGCONT', 'no answer'],
        ] as const) {
          if (cause === 'SIGSTOP') process.kill(redis!.pid(), cause)
          else await tell(cause)
          let refused = ''
          const down = async () => {
            refused = await scrape(reader)
            return refused
          }
          await expect.poll(down).toContain('braid_redis_up 0')
          const all = ['BraidNoPublisher', 'BraidNotReady', 'BraidRedisAway']
          await expectFiring([[refused, refused]], all)
          expect(toldOf(all)).toEqual(['BraidRedisAway'])
          if (words === 'NOAUTH')
            await expect.poll(() => reasonOf(reader), { timeout: 30_000 }).toContain(words)
          if (cure === 'SIGCONT') process.kill(redis!.pid(), cure)
          else await tell(cure)
          await expect.poll(down).toContain('braid_redis_up 1')
        }
        keeper.close()
      },
    )
  },
)
