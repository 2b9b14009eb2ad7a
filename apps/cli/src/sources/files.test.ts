import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from '@braid-swap/core/advanced'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frozen, runCli } from '../testing/runCli.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'braid-files-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const order = ['--in', 'HYPE', '--out', 'USDC', '--amount', '1']
const write = (name: string, value: unknown) => {
  const path = join(folder, name)
  writeFileSync(path, typeof value === 'string' ? value : stringify(value))
  return path
}

describe('FILE_UNREADABLE gives the reason', () => {
  const read = (option: string, path: string) =>
    option === '--snapshot'
      ? runCli(['quote', option, path, ...order])
      : runCli(['quote', ...frozen.slice(0, 2), option, path, ...order])

  it('why a file cannot be read', async () => {
    const missing = join(folder, 'missing.json')
    const { code, err } = await read('--snapshot', missing)
    expect(code).toBe(2)
    expect(err).toContain(`${missing}: cannot be read: ENOENT: no such file or directory (FILE`)
    mkdirSync(join(folder, 'sub'))
    expect((await read('--snapshot', join(folder, 'sub'))).err).toMatch(/EISDIR.*directory/)
  })

  it('where a token file is wrong', async () => {
    const token = { address: `0x${'1'.repeat(40)}`, symbol: 'ONE', decimals: 300 }
    const wrong = await read('--tokens', write('tokens.json', [token]))
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringMatching(/not a JSON array of \{ address, symbol, decimals \}: \S/),
    ])
    const cut = await read('--tokens', write('cut.json', '[{'))
    expect(cut.err).toMatch(/decimals \}: .*JSON/)
    expect((await read('--tokens', join(folder, 'none'))).err).toContain('ENOENT')
  })

  it('where a venue file is wrong', async () => {
    const venues = write('venues.json', [{ id: 'v', family: 'uniswapV2', factory: '0x1' }])
    const words = ['quote', '--rpc', 'http://127.0.0.1:1', '--venues', venues, ...order]
    expect((await runCli(words)).err).toContain('0.factory: must be 0x and 40 hex digits')
  })
})

it('BAD_SNAPSHOT names the file, and the pool and field in it', async () => {
  const market = JSON.parse(readFileSync(frozen[1]!, 'utf8')) as { pools: { id: string }[] }
  Object.assign(market.pools[5]!, { feePpm: -1 })
  const damaged = write('damaged.json', JSON.stringify(market))
  const { err: reason } = await runCli(['quote', '--snapshot', damaged, ...order])
  expect(reason).toContain(`${damaged}: pool ${market.pools[5]!.id} (`)
  expect(reason).toContain('field  feePpm')
  const file = write('old.json', { version: 0 })
  const { code, err } = await runCli(['quote', '--snapshot', file, ...order])
  expect(code).toBe(2)
  expect(err).toContain(`${file}: unknown snapshot version (BAD_SNAPSHOT)`)
  expect(err).toContain('wanted  1')
})

describe('--snapshot - reads the standard input', () => {
  const [, path = '', ...tokens] = frozen
  const words = ['quote', '--snapshot', '-', ...tokens, ...order]

  it('quotes what the file quotes, and names the input in an error', async () => {
    const text = readFileSync(path, 'utf8')
    const fromFile = await runCli(['quote', ...frozen, ...order])
    expect(fromFile.code).toBe(0)
    expect(await runCli(words, {}, { input: () => text })).toEqual(fromFile)
    const cut = await runCli(words, {}, { input: () => text.slice(0, -9) })
    expect([cut.code, cut.err]).toEqual([2, expect.stringContaining('standard input: the text is')])
  })

  it('is refused if nothing is piped in', async () => {
    const { code, err } = await runCli(words)
    expect([code, err]).toEqual([2, expect.stringContaining('is a terminal (USAGE)')])
  })

  it('shows its progress, and removes it at the end', async () => {
    const lines: string[] = []
    const progress = (line: string) => void lines.push(line)
    await runCli(['quote', ...frozen, ...order], {}, { progress })
    expect(lines[0]).toContain('reading')
    expect(lines.at(-2)).toBe('60 of 60 pools checked')
    expect(lines.at(-1)).toBe('')
  })
})

it('RPC_FAILED names the node by its host, without the key in its URL', async () => {
  const url = 'http://name:word@127.0.0.1:1/key?token=also'
  const { code, err } = await runCli(['quote', '--rpc', url, ...order])
  expect(code).toBe(4)
  expect(err).toContain('the node 127.0.0.1:1 failed')
  expect(err).toContain('node  127.0.0.1:1')
  for (const secret of ['name', 'word', 'key', 'also']) expect(err).not.toContain(secret)
})
