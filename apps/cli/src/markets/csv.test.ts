import { expect, it } from 'vitest'
import { fromCsv, toCsv } from './csv.js'

it('no cell of a table of CSV is a formula of a spreadsheet, and figures and other names stay', () => {
  const formulas = ['=HYPERLINK("http://x")', '+1+cmd', '-1+cmd', '@SUM(A1)', ' =A1', '-', '\t=A1']
  const others = ['HYPE/USDC', '-1.5', '+2', '-7', "it's", 'a,b', 'x"y', '0xab']
  const rows = [...formulas, ...others].map((name) => [name, -7n, -1.5])
  const read = fromCsv(toCsv(['name', 'wei', 'figure'], rows))
  const cells = read.map(({ name, wei, figure }) => [name, wei, figure])
  expect(cells).toEqual([
    ...formulas.map((name) => [`'${name}`, '-7', '-1.5']),
    ...others.map((name) => [name, '-7', '-1.5']),
  ])
})
