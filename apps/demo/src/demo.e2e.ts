import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@braid-swap/devnet/freePort'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DemoFile } from './demo.js'

const run = promisify(execFile)
const main = resolve(import.meta.dirname, '../dist/main.js')
const cli = resolve(import.meta.dirname, '../../cli/bin/braid.js')

const readme = readFileSync(resolve(import.meta.dirname, '../../../README.md'), 'utf8')

/** The drawn quote that the README shows, indented as the demo prints it. */
function readmeTree(): string {
  const tree = /```text\n(2500 HYPE\n[^`]*)```/.exec(readme)?.[1]
  if (tree === undefined) throw new Error('the README shows no quote of 2500 HYPE')
  return tree.replace(/^(?=.)/gm, '  ')
}

/** The README says that the example of a swap prints this. */
function readmeSwap(): string {
  return /^quoted \d+, received .*$/m.exec(readme)?.[0] ?? ''
}

/** Requests the first quote of the README with its own command. */
async function firstQuote({ apiUrl, apiKey }: DemoFile): Promise<{ readonly dstAmount: string }> {
  const path = /\$api(\/swap\/v1\/999\/quote\?[^"]*)"/.exec(readme)?.[1] ?? ''
  const named = (name: string) => new RegExp(`^${name}=(0x[0-9a-f]{40})$`, 'm').exec(readme)?.[1]
  const query = path.replace('$hype', named('hype') ?? '').replace('$usdc', named('usdc') ?? '')
  const answer = await fetch(`${apiUrl}${query}`, { headers: { apikey: apiKey } })
  return (await answer.json()) as { dstAmount: string }
}

/**
 * Allows half a percent, because the trader has traded since the start. A pool differs from the
 * price table by at most about a third of its fee, which is at most 0.3 % on the routes used here.
 */
function expectNear(got: string | undefined, sample: string | undefined): void {
  expect(Math.abs(Number(got) / Number(sample) - 1)).toBeLessThan(0.005)
}

let folder: string
let child: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'braid-demo-'))
})

afterEach(async () => {
  if (child && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the built demo as a child process; resolves with its output once it is up or has exited. */
async function startDemo(ports: { port: number; rpcPort: number }) {
  const demo = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      PORT: `${ports.port}`,
      RPC_PORT: `${ports.rpcPort}`,
      BRAID_DIR: folder,
      // Every block makes the trader, the node and the API work, and no test here asks for many.
      BLOCK_MS: '3000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child = demo
  const output = { stdout: '', stderr: '' }
  const closed = once(demo, 'close')
  demo.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  const up = new Promise<void>((done) => {
    demo.stdout.on('data', (chunk) => {
      output.stdout += chunk
      if (output.stdout.includes('Ctrl-C')) done()
    })
  })
  await Promise.race([up, closed])
  return { demo, output, closed }
}

async function freePorts(): Promise<{ port: number; rpcPort: number }> {
  return { port: await freePort(), rpcPort: await freePort() }
}

const isAnswering = (url: string) =>
  fetch(url, { method: 'POST' }).then(
    () => true,
    () => false,
  )

/** Waits until nothing answers any more: what the system kills is not gone at once. */
async function expectSilence(urls: readonly string[]): Promise<void> {
  await expect
    .poll(async () => (await Promise.all(urls.map(isAnswering))).some((is) => is), {
      timeout: 15_000,
    })
    .toBe(false)
}

describe('the demo', () => {
  it('prints commands that work when pasted, and stops cleanly', async () => {
    const ports = await freePorts()
    const { demo, output, closed } = await startDemo(ports)
    expect(output.stderr).toMatch(/[1-9]\d pools on [1-9]\d* venues/)
    const file = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoFile
    expect(file.apiUrl).toBe(`http://127.0.0.1:${ports.port}`)

    const curls = output.stdout
      .split('\n')
      .flatMap((line) => /^\s*(curl .*)$/.exec(line)?.[1] ?? [])
    expect(curls).toHaveLength(2)
    const bodies = await Promise.all(
      curls.map(async (line) => JSON.parse((await run('sh', ['-c', `${line} -s`])).stdout)),
    )
    expect(BigInt(bodies[0].dstAmount)).toBeGreaterThan(0n)
    expect(bodies[1].tx).toMatchObject({ to: expect.stringMatching(new RegExp(file.router, 'i')) })
    expect(output.stdout).toContain(readmeTree())

    demo.kill('SIGINT')
    expect(await closed).toEqual([0, null])
    expect(existsSync(join(folder, 'demo.json'))).toBe(false)
    await expectSilence([file.apiUrl, file.rpcUrl])
  })

  it('works with the quote, compare, swap and snapshot commands of the CLI', async () => {
    const { output } = await startDemo(await freePorts())
    expect(output.stdout, output.stderr).toContain('Ctrl-C')
    const file = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoFile
    const braid = async (...words: string[]) => {
      const env = { ...process.env, BRAID_API_KEY: file.apiKey, KEY: file.account.privateKey }
      return JSON.parse((await run(process.execPath, [cli, ...words, '--json'], { env })).stdout)
    }
    const node = ['--rpc', file.rpcUrl, '--venues', join(folder, 'venues.json')]
    const api = ['--api', file.apiUrl, '--tokens', join(folder, 'tokens.json')]
    const order = ['--in', 'USDC', '--out', 'HYPE', '--amount', '5000']

    const quotes = [await braid('quote', ...node, ...order), await braid('quote', ...api, ...order)]
    for (const quote of quotes) {
      expect(BigInt(quote.amountOut)).toBeGreaterThan(10n ** 20n)
      expect(quote.hops.at(-1).family).toMatch(/wrap/)
    }
    const compared = await braid('compare', ...api, ...order)
    expect(BigInt(compared.amountOut)).toBeGreaterThanOrEqual(BigInt(compared.pools[0].amountOut))

    // One swap by a local quote and one by the API's; the first swap of a token approves exactly.
    const key = ['--slippage', '1', '--send', '--yes', '--private-key-env', 'KEY']
    const sent = await braid('swap', ...node, ...order, ...key)
    expect(BigInt(sent.amountOut)).toBeGreaterThan((BigInt(sent.quoted) * 99n) / 100n)
    // The CLI checks the API's quote against a local quote on the node's state.
    const native = ['--in', 'native', '--out', 'UBTC', '--amount', '12.5']
    const byApi = await braid('swap', ...api, ...node, ...native, ...key)
    expect(BigInt(byApi.amountOut)).toBeGreaterThan((BigInt(byApi.quoted) * 99n) / 100n)

    const example = resolve(import.meta.dirname, '../examples/swap.mjs')
    const { stdout } = await run(process.execPath, [example, folder])
    const swapped = /^quoted (\d+), received (\d+) of UBTC in 0x[0-9a-f]{8}/
    for (const i of [1, 2]) expectNear(swapped.exec(stdout)?.[i], swapped.exec(readmeSwap())?.[i])
    const { dstAmount } = await firstQuote(file)
    expectNear(dstAmount, /"dstAmount": "(\d+)"/.exec(readme)?.[1])

    const saved = join(folder, 'saved', 'market.json')
    await run(process.execPath, [cli, 'snapshot', ...node, '--out', saved])
    const offline = await braid('quote', '--snapshot', saved, ...order)
    expect(BigInt(offline.block)).toBeGreaterThan(BigInt(sent.block))
  })

  it('leaves no process behind even if it is killed', async () => {
    const ports = await freePorts()
    const { demo, closed } = await startDemo(ports)
    const urls = Object.values(ports).map((port) => `http://127.0.0.1:${port}`)
    expect(await Promise.all(urls.map(isAnswering))).toEqual([true, true])
    demo.kill('SIGKILL')
    await closed
    await expectSilence(urls)
  })

  it('stops if the npm that runs it ends', async () => {
    const ports = await freePorts()
    const npm = spawn('npm', ['start', '--ignore-scripts'], {
      cwd: resolve(import.meta.dirname, '../../..'),
      env: {
        ...process.env,
        PORT: `${ports.port}`,
        RPC_PORT: `${ports.rpcPort}`,
        BRAID_DIR: folder,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    child = npm
    await new Promise<void>((done) => {
      let text = ''
      npm.stdout.on('data', (chunk) => {
        text += chunk
        if (text.includes('Ctrl-C')) done()
      })
    })
    const urls = Object.values(ports).map((port) => `http://127.0.0.1:${port}`)
    expect(await Promise.all(urls.map(isAnswering))).toEqual([true, true])
    npm.kill('SIGTERM')
    await expectSilence(urls)
  })

  it('names the variable to change if a port is in use', async () => {
    const ports = await freePorts()
    const squatter = createServer()
    await once(squatter.listen(ports.rpcPort, '127.0.0.1'), 'listening')
    const { output, closed } = await startDemo(ports)
    expect(await closed).toEqual([1, null])
    expect(output.stderr).toContain(`port ${ports.rpcPort} is in use`)
    expect(output.stderr).toContain('RPC_PORT=')
    squatter.close()
  })
})
