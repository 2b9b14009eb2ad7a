/**
 * Runs the services of the compose files without Docker, by the commands of the README: each service's own command
 * and environment, with its hosts and folders replaced by ports and folders of this machine, on a devnet. nginx and
 * Redis take part where they are installed.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Devnet } from '@braid-swap/devnet'
import { borrowDevnet, freePort } from '@braid-swap/devnet/testing'
import { describeWithRedis } from '@braid-swap/feed/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  compose,
  entryPoint,
  environmentOf,
  exportedFor,
  filled,
  healthCheck,
  keyWords,
  type Service,
  single,
  text,
  type Variables,
} from '../testing/composeFiles.js'

const run = promisify(execFile)
/** Finds a program of this machine. */
const find = (name: string) =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
    .map((place) => join(place, name))
    .find((path) => existsSync(path))

const { redis, indexer, reader } = compose.services as Readonly<Record<string, Required<Service>>>

type Started = { readonly kill: () => void }

const running: Started[] = []
let devnet: Devnet
let place: string
let redisPort: number
/** What the operator has in the shell. */
let shell: Readonly<Record<string, string>>
let pageKey: string

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

/** What a devnet needs besides: its own time, and ports that nothing else has. */
function onDevnet(port: number, metricsPort: number) {
  return {
    ...{ HOST: '127.0.0.1', PORT: `${port}`, BRAID_METRICS_PORT: `${metricsPort}` },
    ...{ BRAID_CHECK_BLOCK_TIME: 'false', BRAID_MAX_STATE_AGE_MS: '3600000' },
    BRAID_LOG_LEVEL: 'silent',
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

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'braid-compose-'))
  devnet = await borrowDevnet()
  const venues = join(place, 'venues.json')
  writeFileSync(
    venues,
    JSON.stringify(devnet.venues, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  )
  shell = {
    BRAID_RPC_URLS: devnet.rpcUrl,
    BRAID_ROUTER: devnet.router,
    BRAID_VENUES: venues,
    BRAID_REDIS_PASSWORD: 'ofMyChoice7',
  }
})
afterAll(async () => {
  for (const each of running) each.kill()
  await devnet?.stop()
  rmSync(place, { recursive: true, force: true })
})

const quoteFrom = async (origin: string, key: string) => {
  const [src, dst] = [devnet.tokens[0]!, devnet.tokens[1]!].map(({ address }) => address)
  const query = new URLSearchParams({ src: src!, dst: dst!, amount: '1000000000000000000' })
  const answer = await fetch(`${origin}/swap/v1/999/quote?${query}`, { headers: { apikey: key } })
  return { status: answer.status, body: (await answer.json()) as { dstAmount?: string } }
}

/** Only the named variables of the operator's shell, and the venues of the devnet. */
function shellWith(names: readonly string[]): Variables {
  return Object.fromEntries([...names, 'BRAID_VENUES'].map((name) => [name, shell[name]!]))
}

describe('the container of compose.yaml', () => {
  it('makes a key before anything else is known, and serves with what the README exports', async () => {
    const noNode = environmentOf(single, shellWith([]), { place })
    const made = await run(process.execPath, [entryPoint, ...keyWords('compose.yaml')], {
      env: { PATH: process.env['PATH'], ...noNode },
    })
    const port = await freePort()
    const variables = shellWith(exportedFor('compose.yaml'))
    const env = {
      ...environmentOf(single, variables, { place }),
      ...onDevnet(port, await freePort()),
    }
    const api = start(process.execPath, [entryPoint], env)
    await untilOk(`http://127.0.0.1:${port}/readyz`)
    expect((await quoteFrom(`http://127.0.0.1:${port}`, made.stdout.trim())).status).toBe(200)
    api.kill()
  })

  it('names each variable of the README that is absent', async () => {
    // Without a router of its own, an API takes the one that the chain's deployment has.
    for (const name of exportedFor('compose.yaml').filter((one) => one !== 'BRAID_ROUTER')) {
      const others = exportedFor('compose.yaml').filter((other) => other !== name)
      const env = { ...environmentOf(single, shellWith(others), { place }), ...onDevnet(0, 0) }
      const ended = run(process.execPath, [entryPoint], {
        env: { PATH: process.env['PATH'], ...env },
      })
      await expect(ended).rejects.toMatchObject({ stderr: expect.stringContaining(`${name}`) })
    }
  })
})

describeWithRedis('the services of operations/compose.yaml', () => {
  const readerPorts: number[] = []
  const metricsPorts: number[] = []
  let key: string
  let variables: Variables
  beforeAll(async () => {
    redisPort = await freePort()
    variables = shellWith(exportedFor('operations/compose.yaml'))
    const [server, ...words] = redis!.command.map((word) => filled(word, variables))
    start(find(server!)!, [...words, '--port', `${redisPort}`, '--dir', place])
    const [, ...ping] = redis!.healthcheck.test
    const isUp = () =>
      run(ping[0]!, ['-p', `${redisPort}`, ...ping.slice(1)], {
        env: {
          PATH: process.env['PATH'],
          ...environmentOf({ ...redis!, volumes: [] }, variables, { place, redisPort }),
        },
      }).then(
        ({ stdout }) => stdout.trim() === 'PONG',
        () => false,
      )
    while (!(await isUp())) await sleep(50)
    const makeKey = async (...terms: readonly string[]) => {
      const { BRAID_REDIS_PASSWORD } = shell
      const env = environmentOf(
        reader!,
        { BRAID_REDIS_PASSWORD: BRAID_REDIS_PASSWORD! },
        { place, redisPort },
      )
      const all = [entryPoint, ...keyWords('operations/compose.yaml'), ...terms]
      const made = await run(process.execPath, all, { env: { PATH: process.env['PATH'], ...env } })
      return made.stdout.trim()
    }
    key = await makeKey()
    pageKey = await makeKey('--rate', '1', '--burst', '3')
    const launch = async (service: Required<Service>) => {
      const port = await freePort()
      const own = environmentOf(
        service,
        { ...variables, BRAID_PAGE_KEY: pageKey },
        { place, redisPort },
      )
      const metricsPort = await freePort()
      metricsPorts.push(metricsPort)
      start(process.execPath, [entryPoint], { ...own, ...onDevnet(port, metricsPort) })
      return port
    }
    for (let i = 0; i < indexer!.deploy.replicas; i++) {
      await untilOk(`http://127.0.0.1:${await launch(indexer!)}/healthz`)
    }
    for (let i = 0; i < reader!.deploy.replicas; i++) readerPorts.push(await launch(reader!))
    for (const port of readerPorts) await untilOk(`http://127.0.0.1:${port}/readyz`)
  })

  it('keep strangers out of Redis, and its port off the machine', async () => {
    const { stdout } = await run('redis-cli', ['-p', `${redisPort}`, 'ping'])
    expect(stdout).toContain('NOAUTH')
    expect(redis).not.toHaveProperty('ports')
  })

  it('answer a quote at every reader, with a key that the documented command made', async () => {
    expect(key).toMatch(/^brd_/)
    for (const port of readerPorts) {
      // A new key reaches every process within two seconds.
      await expect
        .poll(async () => (await quoteFrom(`http://127.0.0.1:${port}`, key)).status, {
          timeout: 10_000,
        })
        .toBe(200)
      const { body } = await quoteFrom(`http://127.0.0.1:${port}`, key)
      expect(BigInt(body.dstAmount!)).toBeGreaterThan(0n)
    }
  })

  it('are found well by the health check of the image', async () => {
    const [command, ...words] = healthCheck
    const check = (port: number) =>
      run(command!, words, { env: { PATH: process.env['PATH'], BRAID_METRICS_PORT: `${port}` } })
    for (const port of metricsPorts) await check(port)
    await expect(check(await freePort())).rejects.toThrow()
  })

  describe.skipIf(!find('nginx'))('behind nginx', () => {
    let port: number
    beforeAll(async () => {
      port = await freePort()
      // Docker's DNS answers with one address for each reader. Here the upstream names them.
      const local = text('nginx.conf')
        .replace(/listen 8080/, `listen 127.0.0.1:${port}`)
        .replace(/resolver .*;/, '')
        .replace(/server reader:8080 resolve(.*);/g, (_, rest: string) =>
          readerPorts.map((each) => `server 127.0.0.1:${each}${rest};`).join(' '),
        )
      const file = join(place, 'nginx.conf')
      writeFileSync(file, `pid ${place}/nginx.pid;\ndaemon off;\nmaster_process off;\n${local}`)
      start(find('nginx')!, ['-c', file, '-e', join(place, 'nginx.log')])
      await untilOk(`http://127.0.0.1:${port}/readyz`)
    })

    /** Asks from an address of this machine, with a header that claims another. */
    const askFrom = (localAddress: string, claimed: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { apikey: pageKey, 'x-forwarded-for': claimed, forwarded: `for=${claimed}` }
        const path = '/999/tokens'
        request({ host: '127.0.0.1', port, path, localAddress, headers }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode!))
        })
          .once('error', reject)
          .end()
      })

    it('callers are limited by their address, whatever they claim in X-Forwarded-For', async () => {
      const claims = Array.from({ length: 12 }, (_, i) => `203.0.113.${i}`)
      const forged = await Promise.all(claims.map((claimed) => askFrom('127.0.0.1', claimed)))
      expect(forged.filter((status) => status === 429).length).toBeGreaterThan(6)
      // Another caller is not limited with them, even if the first one claims to be this one.
      expect(await askFrom('127.0.0.2', '127.0.0.1')).not.toBe(429)
    })

    it('a stream arrives at once, and stays open while its quote does not change', async () => {
      const [src, dst] = [devnet.tokens[0]!, devnet.tokens[1]!].map(({ address }) => address)
      const query = new URLSearchParams({ src: src!, dst: dst!, amount: '1000000000000000000' })
      const url = `http://127.0.0.1:${port}/swap/v1/999/quote/stream?${query}`
      const answer = await fetch(url, { headers: { apikey: key } })
      expect(answer.status).toBe(200)
      let received = ''
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
        received += chunk
        // The ping comes fifteen seconds after the only quote.
        if (received.includes(': ping')) break
      }
      expect(received.match(/^event: .*$/gm)).toEqual(['event: quote'])
      expect(received).toContain(': ping')
    })

    it('quotes are answered also when a reader is gone', async () => {
      const ask = async () => (await quoteFrom(`http://127.0.0.1:${port}`, key)).status
      expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual([200, 200, 200, 200])
      running.at(-2)!.kill()
      for (let i = 0; i < 6; i++) expect(await ask()).toBe(200)
    })
  })
})
