/**
 * Runs the commands of the README's section on a real chain in a shell, with a node, a key and
 * factories for the reader's values. The chain has only the contracts that HyperEVM has, so nothing
 * depends on the set-up of Braid's own devnet.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Chain,
  createTokens,
  deployUniswapV2,
  deployUniswapV3,
  fullRange,
  startChain,
  toSqrtPriceX96,
} from '@braid-swap/devnet'
import { createV2Pool, createV3Pool, freePort } from '@braid-swap/devnet/testing'
import { type Program, root, startProgram } from '@braid-swap/worlds/program'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const USDC = '0xb88339cb7199b77e23db6e890353e22632ba630f'
const E18 = 10n ** 18n
const E6 = 10n ** 6n

/** The command blocks of the README's section. */
const [setUp = '', deployRouter = '', venues = '', doctor = '', serve = '', ask = '', ...more] =
  blocksOf('Against a real chain')

function blocksOf(title: string): readonly string[] {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const section = text.split(/^## /m).find((part) => part.startsWith(`${title}\n`))
  if (section === undefined) throw new Error(`the README has no section ${title}`)
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands!)
}

let chain: Chain
let factories: readonly string[]
let stopMining: () => Promise<void>
beforeAll(async () => {
  const unixSeconds = () => BigInt(Math.floor(Date.now() / 1000))
  // Each set-up block takes a second of the chain's time, and none may be of the future.
  chain = await startChain({ genesisTimestamp: unixSeconds() - 600n })
  await createTokens(chain, [{ address: USDC, symbol: 'USDC', name: 'USD Coin', decimals: 6 }])
  const v2 = await deployUniswapV2(chain, 'theirs-v2')
  const v3 = await deployUniswapV3(chain, 'theirs-v3')
  factories = [v2.venue.factory, v3.venue.factory]
  const tokens = [chain.wrappedNative, USDC] as const
  await createV2Pool(chain, v2, { tokens, amounts: [1_000n * E18, 40_000n * E6] })
  await createV3Pool(chain, v3, {
    ...{ tokens, feePpm: 3000, sqrtPriceX96: toSqrtPriceX96(40e6 / 1e18) },
    positions: [{ ...fullRange(60), liquidity: 10n ** 15n }],
  })
  // From here on blocks have the clock's time, because the API refuses quotes on a block that is old.
  await chain.client.removeBlockTimestampInterval()
  await chain.client.setNextBlockTimestamp({ timestamp: unixSeconds() })
  stopMining = mineEachSecond(chain)
})
afterAll(async () => {
  await stopMining?.()
  await chain?.stop()
})

function mineEachSecond({ mine }: Chain): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      await mine()
      await sleep(1_000, undefined, { signal }).catch(() => {})
    }
  }
  const ended = run()
  return async () => {
    stopping.abort()
    await ended
  }
}

let home: string
let url: string
let running: Program[] = []
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'braid-readme-'))
  url = `http://127.0.0.1:${await freePort()}`
})
afterEach(async () => {
  await Promise.all(running.map(({ kill }) => kill('SIGTERM')))
  running = []
  rmSync(home, { recursive: true, force: true })
})

/** Runs commands as a reader would paste them, with the reader's values filled in. */
function paste(...commands: readonly string[]): Program {
  const left = factories.values()
  const filled = commands
    .join('\n')
    .replaceAll('https://your-node', chain.rpcUrl)
    .replaceAll('KEY=0x…', `KEY=${chain.accounts[0]!.privateKey}`)
    .replaceAll(/(?<="factory": ")0x…/g, () => left.next().value!)
  const env = { HOME: home, PORT: new URL(url).port }
  const shell = startProgram(['sh', '-c', filled], { cwd: root, env, isGroup: true })
  running.push(shell)
  return shell
}

const printedBy = ({ out, err }: Program) => [...out, ...err].join('\n')

/** Runs commands to their end; returns their output and the exit code of the last. */
async function run(...commands: readonly string[]) {
  const shell = paste(...commands)
  const code = await shell.ended
  return { code, printed: printedBy(shell) }
}

/** Sends the requests of the section's `curl` lines. */
async function askAll(key: string) {
  const values = new Map([...ask.matchAll(/(\w+)=(0x\w{40})\b/g)].map(([, k, v]) => [k!, v!]))
  const lines = ask.split('\n').filter((line) => line.startsWith('curl '))
  return Promise.all(
    lines.map(async (line) => {
      const [, path = ''] = /"?http:\/\/127\.0\.0\.1:8080([^"\s]*)"?$/.exec(line) ?? []
      const filled = path.replace(/\$(\w+)/g, (_, name) => values.get(name) ?? '')
      const headers: Record<string, string> = line.includes('apikey') ? { apikey: key } : {}
      const response = await fetch(`${url}${filled}`, { headers })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }),
  )
}

const keyIn = (printed: string) => /brd_\w+/.exec(printed)?.[0] ?? ''

/** Waits until the API answers or its shell ends; returns the output until then. */
async function untilAnswering(shell: Program): Promise<string> {
  let isOver = false
  void shell.ended.then(() => {
    isOver = true
  })
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!isOver && !(await isUp())) await sleep(50)
  return printedBy(shell)
}

describe('the README on a real chain', () => {
  it('has the blocks that this test follows', () => {
    expect(more).toEqual([])
    expect(venues).toContain('export BRAID_VENUES=')
    expect(doctor).toContain('braid doctor')
    expect(ask).toContain('/readyz')
  })

  it('without the router, the API does not start and says why', async () => {
    const shell = paste(setUp, 'export BRAID_ROUTER=$(braid-api router)', venues, serve)
    const printed = await untilAnswering(shell)
    expect(await Promise.race([shell.ended, 'answers'])).toBe(1)
    expect(printed).toMatch(/BRAID_ROUTER: .*no router at .*CONFIG_INVALID/)
  })

  it('with the router and without those venues, it is not ready and refuses quotes', async () => {
    const put = await run(setUp, deployRouter)
    expect(put).toMatchObject({ code: 0, printed: expect.stringContaining('success') })
    const found = await run(setUp, doctor.replace(/ --venues \S+/, ''))
    expect(found).toMatchObject({ code: 5, printed: expect.stringContaining('no code') })
    const shell = paste(setUp, deployRouter, serve)
    const key = keyIn(await untilAnswering(shell))
    const reason = async () => (await askAll(key))[0]!.body['code']
    await expect.poll(reason, { timeout: 60_000 }).toBe('NO_POOLS')
    const [ready, quote] = await askAll(key)
    expect(ready).toMatchObject({ status: 503, body: { status: 'not_ready' } })
    expect(quote).toMatchObject({ status: 503, body: { code: 'NO_POOLS' } })
  })

  it('with the router and a file of venues, the doctor finds nothing wrong and it quotes', async () => {
    const found = await run(setUp, venues, doctor)
    expect(found.printed).not.toContain('WRONG')
    expect(found.code).toBe(0)
    const shell = paste(setUp, deployRouter, venues, serve)
    const key = keyIn(await untilAnswering(shell))
    const status = async () => (await askAll(key))[0]!.status
    await expect.poll(status, { timeout: 60_000 }).toBe(200)
    const [ready, quote] = await askAll(key)
    expect(ready?.body).toMatchObject({ status: 'ready' })
    expect(quote?.status).toBe(200)
    expect(Number(quote?.body['dstAmount'])).toBeGreaterThan(39_000_000)
  })
})
