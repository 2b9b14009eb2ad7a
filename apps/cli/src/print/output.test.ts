import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withoutControls } from '../terminal.js'
import { frozen, runCli } from '../testing/runCli.js'
import { fitWidth } from './output.js'

it('cuts lines by what is seen of them: colours take no width, and end', () => {
  const red = (text: string) => `\u001b[31m${text}\u001b[39m`
  expect(fitWidth(`${red('abc')}de`, { columns: 5 })).toBe(`${red('abc')}de`)
  expect(fitWidth(`a${red('bcd')}e`, { columns: 4 })).toBe(`a${red('bc')}…`)
  expect(fitWidth('₮₮₮₮', { columns: 3 })).toBe('₮₮…')
})

it('draws the tree of a route within the terminal', async () => {
  const words = ['quote', ...frozen, '--in', 'HYPE', '--out', 'USDC', '--amount', '1500']
  const { out } = await runCli(words, {}, { columns: 72 })
  const widths = out.split('\n').map((line) => [...line].length)
  expect(Math.max(...widths)).toBe(72)
})

it('shows no control character of a venue, a token or an error, and keeps the colours', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'braid-words-'))
  const [, market = '', , list = ''] = frozen
  const steering = '\\u001b[2J\\u202e\\u009b8m\\r'
  const wicked = (path: string, field: string) => {
    const file = join(folder, `${field}.json`)
    const text = readFileSync(path, 'utf8')
    writeFileSync(file, text.replaceAll(`"${field}":"`, `"${field}":"${steering}`))
    return file
  }
  const source = ['--snapshot', wicked(market, 'venue'), '--tokens', wicked(list, 'symbol')]
  const ends = ['--in', 'native', '--out', '0xb88339cb7199b77e23db6e890353e22632ba630f']
  for (const [command, ...more] of [
    ['quote'],
    ['quote', '--json'],
    ['explain'],
    ['compare', '--by', 'venue'],
    ['swap'],
    ['quote', '--include-protocols', 'none'],
  ] as const) {
    const words = [command, ...source, ...ends, '--amount', '150', ...more]
    const { out, err } = await runCli(words)
    expect(out + err).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect((out + err).length).toBeGreaterThan(50)
  }
  rmSync(folder, { recursive: true })
  const shown: string[] = []
  const paint = { strong: String, faint: String }
  const terminal = { out: shown.push.bind(shown), err: shown.push.bind(shown), env: {}, paint }
  withoutControls(terminal).out('\u001b[1mbold\u001b[22m \u001b[8mhidden\r[1m')
  expect(shown).toEqual(['\u001b[1mbold\u001b[22m \ufffd[8mhidden\ufffd[1m'])
})
