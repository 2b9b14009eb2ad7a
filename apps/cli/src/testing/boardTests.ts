/**
 * Tests a board on a devnet: services are the API itself in the shapes of LiquidSwap, 0x and 1inch, one
 * that is gone, and one that lies about its own calldata.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeRouterCall, encodeRouterCall, type Hex } from '@braid-swap/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../testing/runCli.js'

/** An API with those shapes, its node, and its key. */
export type World = { readonly url: string; readonly rpcUrl: string; readonly key: string }

type Answer = { execution: { calldata: Hex; details: { amountOut: string } } }
type Row = { service: string; status: string; quoted: string; received: string; reason: string }

/** Adds the tests; `world` is valid once they run. */
export function boardTests(world: () => World): void {
  /** LiquidSwap's shape from this API, with twice the output promised. */
  let liar: Server
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braid-board-'))
    liar = createServer(async (request, response) => {
      const answer = await fetch(`${world().url}${request.url}`)
      const body = (await answer.json()) as Answer
      const { execution } = body
      const doubled = BigInt(execution.details.amountOut) * 2n
      execution.details.amountOut = `${doubled}`
      // Told a slippage of 3 %, it demands what it promised.
      if (request.url?.includes('slippage=3')) {
        const call = decodeRouterCall(execution.calldata)
        execution.calldata = encodeRouterCall({ ...call, minAmountOut: doubled })
      }
      response.end(JSON.stringify(body))
    }).listen(0, '127.0.0.1')
  })
  afterAll(async () => {
    liar?.close()
    await rm(folder, { recursive: true })
  })

  const board = (against: string, ...words: readonly string[]) => {
    const { url, rpcUrl, key } = world()
    const env = { BRAID_API_KEY: key, BRAID_KEY_0X: key, BRAID_KEY_1INCH: key }
    const parts = ['board', '--api', url, '--rpc', rpcUrl, '--against', against, '--json']
    return runCli([...parts, ...words], env)
  }

  describe('braid board', () => {
    it('pays of each service what its calldata pays, to the wei, below the bound', async () => {
      const file = join(folder, 'orders.csv')
      await writeFile(file, 'in,out,amount\nUSDC,WHYPE,25000.5\nUETH,PURR,0.3\nUBTC,USDC,1.5\n')
      const here = ['liquidswap', '0x', '1inch'].map((name) => `${name}=${world().url}`)
      const page = join(folder, 'board.html')
      const words = ['--orders', file, '--html', page]
      const { code, out, err } = await board(`${here},kyber=http://127.0.0.1:9`, ...words)
      expect([code, err]).toEqual([0, ''])
      const { orders } = JSON.parse(out)
      expect(orders.length).toBe(3)
      for (const { bound, rows } of orders as { bound: string; rows: Row[] }[]) {
        const paid = rows.filter(({ status }) => status === 'simulated')
        expect(paid.map(({ service }) => service).toSorted()).toEqual([
          ...['0x', '1inch', 'braid', 'liquidswap'],
        ])
        for (const { quoted, received } of paid) {
          expect(received).toBe(quoted)
          expect(BigInt(received)).toBeLessThanOrEqual(BigInt(bound))
        }
        // The others maximise the output after gas.
        const own = paid.find(({ service }) => service === 'braid')!
        expect(own.received).toBe(paid[0]!.received)
        expect(rows.at(-1)).toMatchObject({ service: 'kyber', status: 'unreachable' })
      }
      const html = await readFile(page, 'utf8')
      expect(html).toContain('25000.5 USDC')
      expect(html).toContain('not reachable')
    })

    it('believes no promise: what arrives counts, and calldata that reverts pays nothing', async () => {
      const order = ['--in', 'USDC', '--out', 'WHYPE', '--amount', '1000']
      const { port } = liar.address() as AddressInfo
      const lied = await board(`liquidswap=http://127.0.0.1:${port}`, ...order)
      const [{ rows }] = JSON.parse(lied.out).orders as [{ rows: Row[] }]
      const { quoted, received } = rows.find(({ service }) => service === 'liquidswap')!
      expect(BigInt(quoted) / 2n).toBe(BigInt(received))

      const demanding = await board(
        `liquidswap=http://127.0.0.1:${port}`,
        ...order,
        '--slippage',
        '3',
      )
      expect(JSON.parse(demanding.out).orders[0].rows.at(-1)).toMatchObject({
        ...{
          service: 'liquidswap',
          status: 'reverted',
          reason: expect.stringMatching(/^error 0x/),
        },
      })
    })

    it.each([
      [
        'an unknown service',
        ['--in', 'USDC', '--out', 'UBTC', '--amount', '1'],
        'paraswap',
        /names/,
      ],
      ['one service twice', ['--in', 'USDC', '--out', 'UBTC', '--amount', '1'], '0x,0x', /twice/],
      ['the native token', ['--in', 'HYPE', '--out', 'UBTC', '--amount', '1'], '0x', /WHYPE/],
      ['no order', [], '0x', /--orders FILE/],
    ])('refuses %s', async (_, words, against, said) => {
      const { code, err } = await board(against, ...words)
      expect([code, err]).toEqual([2, expect.stringMatching(said)])
    })
  })
}
