import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { root } from '@braid-swap/worlds/program'
import { describe, expect, it } from 'vitest'
import type { DemoFile } from './demo.js'
import { freePorts, start } from './testing/start.js'

const run = promisify(execFile)
const cli = join(root, 'apps/cli/bin/braid.js')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

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

describe('the demo', () => {
  it('prints commands that work when pasted, works with those of the CLI, and stops cleanly', async () => {
    const demo = await start()
    const { inFolder } = demo
    expect(demo.err.join('\n')).toMatch(/[1-9]\d pools on [1-9]\d* venues/)
    const file = JSON.parse(readFileSync(inFolder('demo.json'), 'utf8')) as DemoFile
    expect(file.apiUrl).toBe(demo.url)

    const curls = demo.out.flatMap((line) => /^\s*(curl .*)$/.exec(line)?.[1] ?? [])
    expect(curls).toHaveLength(2)
    const bodies = await Promise.all(
      curls.map(async (line) => JSON.parse((await run('sh', ['-c', `${line} -s`])).stdout)),
    )
    expect(BigInt(bodies[0].dstAmount)).toBeGreaterThan(0n)
    expect(bodies[1].tx).toMatchObject({ to: expect.stringMatching(new RegExp(file.router, 'i')) })
    expect(demo.out.join('\n')).toContain(readmeTree())

    const braid = async (...words: string[]) => {
      const env = { ...process.env, BRAID_API_KEY: file.apiKey, KEY: file.account.privateKey }
      return JSON.parse((await run(process.execPath, [cli, ...words, '--json'], { env })).stdout)
    }
    const node = ['--rpc', file.rpcUrl, '--venues', inFolder('venues.json')]
    const api = ['--api', file.apiUrl, '--tokens', inFolder('tokens.json')]
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
    const { stdout } = await run(process.execPath, [example, inFolder('.')])
    const swapped = /^quoted (\d+), received (\d+) of UBTC in 0x[0-9a-f]{8}/
    for (const i of [1, 2]) expectNear(swapped.exec(stdout)?.[i], swapped.exec(readmeSwap())?.[i])
    const { dstAmount } = await firstQuote(file)
    expectNear(dstAmount, /"dstAmount": "(\d+)"/.exec(readme)?.[1])

    const saved = inFolder('saved/market.json')
    await run(process.execPath, [cli, 'snapshot', ...node, '--out', saved])
    const offline = await braid('quote', '--snapshot', saved, ...order)
    expect(BigInt(offline.block)).toBeGreaterThan(BigInt(sent.block))

    demo.signal('SIGINT')
    expect(await demo.ended).toBe(0)
    expect(existsSync(inFolder('demo.json'))).toBe(false)
    await expect.poll(demo.areAnswering).toEqual([false, false])
  })

  it('names the variable to change if a port is in use', async () => {
    const ports = await freePorts()
    const squatter = createServer()
    await once(squatter.listen(ports[1], '127.0.0.1'), 'listening')
    const { ended, err } = await start({ ports })
    expect(await ended).toBe(1)
    expect(err.join('\n')).toContain(`port ${ports[1]} is in use`)
    expect(err.join('\n')).toContain('RPC_PORT=')
    squatter.close()
  })
})
