import { expect, it } from 'vitest'
import { fitWidth } from './output.js'
import { frozen, runCli } from './testing/runCli.js'

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
