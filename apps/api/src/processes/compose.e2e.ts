/**
 * Runs the services of `operations/compose.yaml` without Docker: each service's own command and environment,
 * with the names of its hosts replaced by ports of this machine, on a devnet. nginx and Redis take
 * part where they are installed.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { borrowDevnet, type Devnet } from '@braid-swap/devnet'
import { freePort } from '@braid-swap/devnet/freePort'
import { describeWithRedis } from '@braid-swap/feed/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'

const run = promisify(execFile)
const folder = resolve(import.meta.dirname, '../../operations')
const text = (path: string) => readFileSync(join(folder, path), 'utf8')

type Service = {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly deploy?: { readonly replicas: number }
  readonly volumes?: readonly string[]
}
const compose = parse(text('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}
const { redis, indexer, reader } = compose.services as Readonly<Record<string, Required<Service>>>
const dockerfile = text('../Dockerfile')

/** Finds a program of this machine. */
const find = (name: string) =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
    .map((place) => join(place, name))
    .find((path) => existsSync(path))

/** The variables of the image, and its entry point, which is in the package here. */
const imageEnvironment = Object.fromEntries(
  [...dockerfile.matchAll(/\b((?:BRAID_|NODE_|HOST|PORT)\w*)=(\S+)/g)].map(([, k, v]) => [k!, v!]),
)
const entryPoint = (JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)![1]!) as string[])[1]!.replace(
  '/app',
  resolve(import.meta.dirname, '../..'),
)
const healthCheck = JSON.parse(/^ {2}CMD (\[.*\])$/m.exec(dockerfile)![1]!) as string[]

type Started = { readonly kill: () => void }

const running: Started[] = []
let devnet: Devnet
let place: string
let redisPort: number
let variables: Readonly<Record<string, string>>

/** Starts a service, and starts it again when it ends by itself, as `restart: unless-stopped` does. */
function start(command: string, words: readonly string[], env?: Record<string, string>): Started {
  let isOver = false
  let child: ChildProcess
  const launch = () => {
    child = spawn(command, words, {
      env: { PATH: process.env['PATH'], ...env },
      stdio: 'ignore',
    })
    child.once('exit', () => {
      if (!isOver) setTimeout(launch, 500)
    })
  }
  launch()
  const started = {
    kill: () => {
      isOver = true
      child.kill('SIGKILL')
    },
  }
  running.push(started)
  return started
}

/** The environment of a container, on ports of this machine. */
function environmentOf({ environment }: Required<Service>, port: number, metricsPort: number) {
  const written = Object.entries(environment).map(([name, value]) => {
    const filled = value.replace(
      /\$\{(\w+)[^}]*\}/g,
      (_, variable: string) => variables[variable] ?? '',
    )
    return [name, filled.replace('redis:6379', `127.0.0.1:${redisPort}`)]
  })
  return {
    ...imageEnvironment,
    ...(Object.fromEntries(written) as Record<string, string>),
    ...{ HOST: '127.0.0.1', PORT: `${port}`, BRAID_METRICS_PORT: `${metricsPort}` },
    // A devnet has its own venues, router and time.
    ...{ BRAID_VENUES: join(place, 'venues.json'), BRAID_CHECK_BLOCK_TIME: 'false' },
    ...{ BRAID_MAX_STATE_AGE_MS: '3600000', BRAID_LOG_LEVEL: 'silent' },
  }
}

async function untilOk(url: string): Promise<void> {
  for (;;) {
    const isOk = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isOk) return
    await sleep(50)
  }
}

describeWithRedis('the services of compose.yaml', () => {
  const readerPorts: number[] = []
  let key: string
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'braid-compose-'))
    devnet = await borrowDevnet()
    writeFileSync(
      join(place, 'venues.json'),
      JSON.stringify(devnet.venues, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    )
    redisPort = await freePort()
    variables = { BRAID_RPC_URLS: devnet.rpcUrl, BRAID_ROUTER: devnet.router }
    const [server, ...words] = redis!.command
    start(find(server!)!, [...words, '--port', `${redisPort}`, '--dir', place])
    const [, ...ping] = redis!.healthcheck.test
    const isUp = () =>
      run(ping[0]!, ['-p', `${redisPort}`, ...ping.slice(1)]).then(
        ({ stdout }) => stdout.trim() === 'PONG',
        () => false,
      )
    while (!(await isUp())) await sleep(50)
    const launch = async (service: Required<Service>) => {
      const port = await freePort()
      start(process.execPath, [entryPoint], environmentOf(service, port, await freePort()))
      return port
    }
    for (let i = 0; i < indexer!.deploy.replicas; i++) {
      await untilOk(`http://127.0.0.1:${await launch(indexer!)}/healthz`)
    }
    for (let i = 0; i < reader!.deploy.replicas; i++) readerPorts.push(await launch(reader!))
    for (const port of readerPorts) await untilOk(`http://127.0.0.1:${port}/readyz`)
    const keyWords = /run --rm reader (.*)$/m.exec(text('compose.yaml'))![1]!.split(' ')
    const env = environmentOf(reader!, 0, 0)
    const made = await run(process.execPath, [entryPoint, ...keyWords], { env })
    key = made.stdout.trim()
  })
  afterAll(async () => {
    for (const each of running) each.kill()
    await devnet?.stop()
    rmSync(place, { recursive: true, force: true })
  })

  const quoteFrom = async (origin: string) => {
    const [src, dst] = [devnet.tokens[0]!, devnet.tokens[1]!].map(({ address }) => address)
    const query = new URLSearchParams({ src: src!, dst: dst!, amount: '1000000000000000000' })
    const answer = await fetch(`${origin}/swap/v1/999/quote?${query}`, { headers: { apikey: key } })
    return { status: answer.status, body: (await answer.json()) as { dstAmount?: string } }
  }

  it('answer a quote at every reader, with a key that the documented command made', async () => {
    expect(key).toMatch(/^brd_/)
    for (const port of readerPorts) {
      // A new key reaches every process within two seconds.
      await expect
        .poll(async () => (await quoteFrom(`http://127.0.0.1:${port}`)).status, { timeout: 10_000 })
        .toBe(200)
      const { body } = await quoteFrom(`http://127.0.0.1:${port}`)
      expect(BigInt(body.dstAmount!)).toBeGreaterThan(0n)
    }
  })

  it('are found well by the health check of the image', async () => {
    const [command, ...words] = healthCheck
    const check = (port: number) =>
      run(command!, words, { env: { PATH: process.env['PATH'], PORT: `${port}` } })
    for (const port of readerPorts) await check(port)
    await expect(check(await freePort())).rejects.toThrow()
  })

  it.skipIf(!find('nginx'))('answer behind nginx, also when a reader is gone', async () => {
    const [port, ...others] = [await freePort(), ...readerPorts]
    const upstream = others.map((each) => `server 127.0.0.1:${each};`).join(' ')
    // Docker's DNS answers with one address for each reader. Here an upstream has them.
    const local = text('nginx.conf')
      .replace(/listen \d+/, `listen 127.0.0.1:${port}`)
      .replace('server {', `upstream readers { ${upstream} }\n  server {`)
      .replace(/set \$reader .*;/, 'set $reader readers;')
    const file = join(place, 'nginx.conf')
    writeFileSync(file, `pid ${place}/nginx.pid;\ndaemon off;\nmaster_process off;\n${local}`)
    start(find('nginx')!, ['-c', file, '-e', join(place, 'nginx.log')])
    await untilOk(`http://127.0.0.1:${port}/readyz`)
    const ask = async () => (await quoteFrom(`http://127.0.0.1:${port}`)).status
    expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual([200, 200, 200, 200])
    running[1 + indexer!.deploy.replicas]!.kill()
    for (let i = 0; i < 6; i++) expect(await ask()).toBe(200)
  })
})

it('compose.yaml mounts only what is there, and names only volumes that it declares', () => {
  const mounts = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)
  expect(mounts.length).toBeGreaterThan(5)
  for (const mount of mounts) {
    const [source = ''] = mount.split(':')
    if (source.startsWith('.')) expect(existsSync(join(folder, source)), source).toBe(true)
    else expect(Object.keys(compose.volumes)).toContain(source)
  }
})

it('kubernetes.yaml starts the roles and probes of compose.yaml', () => {
  type Container = {
    env: { name: string; value: string }[]
    livenessProbe: { httpGet: { path: string } }
    readinessProbe: { httpGet: { path: string } }
  }
  type Deployment = {
    kind: string
    metadata: { name: string }
    spec: { replicas: number; template: { spec: { containers: Container[] } } }
  }
  const documents = text('kubernetes.yaml')
    .split(/^---$/m)
    .map((part) => parse(part) as Deployment)
  const deployments = documents.filter(({ kind }) => kind === 'Deployment')
  for (const { metadata, spec } of deployments) {
    const [container] = spec.template.spec.containers
    const environment = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]))
    const service = compose.services[metadata.name]!
    expect(service.environment).toMatchObject(environment)
    expect(service.deploy?.replicas).toBe(spec.replicas)
    expect(container!.livenessProbe.httpGet.path).toBe('/healthz')
    expect(container!.readinessProbe.httpGet.path).toBe('/readyz')
  }
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['indexer', 'reader'])
})
