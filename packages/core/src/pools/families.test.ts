import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { swapLayouts } from './layouts.js'

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
const program = read('../../../../docs/program.md')

describe.each(Object.entries(swapLayouts))('the family %s', (name, swapLayout) => {
  it('is in the page about programs, with its opcode and length', () => {
    if (!swapLayout) return
    const opcode = `0x${swapLayout.opcode.toString(16).padStart(2, '0')}`
    const rows = program.split('\n')
    const row = rows.find((line) => new RegExp(` ${opcode}  \\w+:address `).test(line))
    expect(row).toMatch(new RegExp(`\\b${name}\\b`))
    expect(row).toContain(`, ${swapLayout.bytes} bytes`)
  })

  it('runs the conformance suite', () => {
    expect(read(`./${name}/${name}.test.ts`)).toMatch(/^describeConformance\(/m)
  })
})

it('encode each opcode in one length', () => {
  const bytesOf = new Map<number, number>()
  for (const swapLayout of Object.values(swapLayouts)) {
    if (!swapLayout) continue
    const { opcode, bytes } = swapLayout
    expect(bytesOf.get(opcode) ?? bytes).toBe(bytes)
    bytesOf.set(opcode, bytes)
  }
})
