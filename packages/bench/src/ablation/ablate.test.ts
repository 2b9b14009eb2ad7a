import { describe, expect, it } from 'vitest'
import { generateMarket } from '../markets/generated.js'
import { stratifiedRequests } from '../requests.js'
import { loadCore, withoutPart } from './ablate.js'
import { parts } from './parts.js'

const part = { name: 'x', function: 'twice', instead: 'a[0]' }

describe('withoutPart', () => {
  it('replaces the function under its name, exported or not', () => {
    const code = 'export const b = 1\nexport function twice(x) {\n  return 2 * x\n}\n'
    const replaced = withoutPart(code, part)!
    expect(replaced).toContain('export function twice(...a) { return a[0] }')
    expect(replaced).toContain('function twiceLeftOut(x) {')
    expect(withoutPart(code.replace('export function', 'function'), part)).toContain(
      '\nfunction twice(...a)',
    )
  })

  it('replaces a generator by a list', () => {
    const list = withoutPart('function* twice(x) {\n  yield x\n}\n', { ...part, instead: '[]' })
    expect(list).toMatch(/^function twice\(\.\.\.a\) \{ return \[\] \}\nfunction\* twiceLeftOut\(/)
  })

  it('is undefined where there is no such function', () => {
    expect(withoutPart('export function twiceAsMuch(x) {}', part)).toBeUndefined()
  })
})

describe('loadCore', () => {
  it('gives a solver that quotes, with and without a part', async () => {
    const market = generateMarket(60, 1)
    const requests = stratifiedRequests(market, { count: 8, seed: 1, gwei: 1 })
    const whole = (await loadCore())!
    const quoteBy = ({ buildGraph, solve }: typeof whole) => {
      const graph = buildGraph(market.snapshot)
      return requests.filter(({ order }) => solve(graph, order)).length
    }
    expect(quoteBy(whole)).toBe(requests.length)
    let found = 0
    for (const one of parts) {
      const core = await loadCore(one)
      if (!core) continue
      found++
      expect(quoteBy(core)).toBe(requests.length)
    }
    expect(found).toBe(parts.length)
  })

  it('is undefined for a part that the solver does not have', async () => {
    expect(await loadCore({ ...part, function: 'noSuchPart' })).toBeUndefined()
  })
})
