import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bytesOfSwap } from '../encoder/opcodes.js'
import { families } from './index.js'

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
const program = read('../../../../docs/program.md')

describe.each(Object.entries(families))('the family %s', (name, { swapLayout }) => {
  it('is in the page about programs, with its opcode and length', () => {
    if (!swapLayout) return
    const opcode = `0x${swapLayout.opcode.toString(16).padStart(2, '0')}`
    const rows = program.split('\n')
    const row = rows.find((line) => new RegExp(` ${opcode}  \\w+:address `).test(line))
    expect(row).toMatch(new RegExp(`\\b${name}\\b`))
    expect(row).toContain(`, ${swapLayout.bytes} bytes`)
  })

  it('is in the table of the swaps that the executor knows', () => {
    if (swapLayout) expect(bytesOfSwap.get(swapLayout.opcode)).toBe(swapLayout.bytes)
  })

  it('has its own README that says how it was checked', () => {
    expect(read(`./${name}/README.md`)).toMatch(/\*\*Checked by\*\* /)
  })

  it('runs the conformance suite', () => {
    expect(read(`./${name}/${name}.test.ts`)).toMatch(/^describeConformance\(/m)
  })
})

it('are all the swaps in the table of the executor', () => {
  const opcodes = new Set(
    Object.values(families).flatMap((family) => family.swapLayout?.opcode ?? []),
  )
  expect([...bytesOfSwap.keys()]).toEqual([...opcodes].sort((a, b) => a - b))
})
