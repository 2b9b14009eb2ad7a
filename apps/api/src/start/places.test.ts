import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../command/program.js'
import { listen } from '../http/httpServer.js'
import { createKey } from '../keys/keys.js'

let folder: string
let other: Server
let taken: number
let least: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'braid-places-'))
  await writeFile(join(folder, 'file'), 'text')
  await createKey(join(folder, 'keys.json'), { label: 'a' })
  other = createServer()
  taken = (await listen(other, { host: '127.0.0.1', port: 0 })).port
  least = {
    BRAID_RPC_URLS: 'http://127.0.0.1:9',
    BRAID_KEYS_FILE: join(folder, 'keys.json'),
    BRAID_ROUTER: `0x${'ab'.repeat(20)}`,
    BRAID_LOG_LEVEL: 'silent',
    PORT: '0',
  }
})
afterAll(async () => {
  other.close()
  await rm(folder, { recursive: true })
})

/** Starts the program with a wrong value: its exit code and what it says. */
async function start(environment: Readonly<Record<string, string>>) {
  const lines: string[] = []
  const terminal = { out: () => {}, err: (text: string) => void lines.push(text) }
  const code = await runProgram([], { ...terminal, env: { ...least, ...environment } })
  return { code, lines }
}

describe('a start stops with one line that names the variable', () => {
  it.each([
    ['PORT', 'a port that is taken', () => `${taken}`],
    ['BRAID_METRICS_PORT', 'a port that is taken', () => `${taken}`],
    ['HOST', 'a host that does not resolve', () => 'no-such-host.invalid'],
    ['HOST', 'an address of another machine', () => '192.0.2.1'],
    ['BRAID_STATE_DIR', 'a folder in a file', () => join(folder, 'file', 'state')],
    ['BRAID_STATE_DIR', 'a file', () => join(folder, 'file')],
    ['BRAID_KEYS_FILE', 'a file that is not there', () => join(folder, 'none.json')],
    ['BRAID_TOKEN_LIST', 'a file that is not there', () => join(folder, 'none.json')],
    ['BRAID_TOKEN_LIST', 'a file that is no list', () => join(folder, 'file')],
    ['BRAID_VENUES', 'a file that is not there', () => join(folder, 'none.json')],
    [
      'BRAID_PAGE_KEY',
      'a key that does not exist',
      () => `brd_${'a'.repeat(12)}_${'b'.repeat(43)}`,
    ],
  ])('%s: %s', async (name, _, value) => {
    const { code, lines } = await start({ [name]: value() })
    expect([code, lines]).toEqual([1, [expect.stringMatching(new RegExp(`^error: ${name}: .+`))]])
    expect(lines[0]).not.toContain('\n')
  })

  it('BRAID_METRICS_PORT: the same as PORT', async () => {
    const { lines } = await start({ PORT: '8123', BRAID_METRICS_PORT: '8123' })
    expect(lines).toEqual([expect.stringContaining('BRAID_METRICS_PORT: 8123 is PORT too')])
  })

  it('after a warning for each unknown name', async () => {
    const { lines } = await start({ PORT: `${taken}`, BRAID_POL_MS: '1' })
    expect(lines).toEqual([
      'warning: BRAID_POL_MS is not a setting; the nearest is BRAID_POLL_MS',
      expect.stringContaining('PORT'),
    ])
  })
})
