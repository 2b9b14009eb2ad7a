import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHub, type HubOptions } from './streamHub.js'

const event = (text: string) => ({ identity: text, text })
const settle = async () => {
  for (let n = 0; n < 60; n++) await turn()
}

/** A hub over numbers as states, whose answer to a request is the state divided by it. */
function hubOver(more: Partial<HubOptions<number, number>> = {}) {
  const market = { state: 1, solves: 0, fault: undefined as string | undefined }
  const hub = createHub<number, number>({
    current: () => market.state,
    answer: async ({ request, state }) => {
      market.solves++
      await turn()
      return event(`${request}:${Math.floor(state / request)}`)
    },
    fault: () => (market.fault === undefined ? undefined : event(market.fault)),
    ...more,
  })
  const follow = (request: number, key = 'k') => {
    const got: string[] = []
    const end = (text: string) => void got.push(text)
    const follower = { send: (text: string) => void got.push(text), end }
    const leave = hub.follow({ name: `${request}`, key, request }, follower)
    return { got, leave }
  }
  const move = (state: number) => {
    market.state = state
    hub.onState()
  }
  return { hub, market, follow, move }
}

describe('a hub', () => {
  it('sends the present answer, then each that differs, and no other', async () => {
    const { follow, move } = hubOver()
    const { got } = follow(2)
    for (const state of [1, 2, 3, 4, 4, 5, 2]) {
      await settle()
      move(state)
    }
    await settle()
    expect(got).toEqual(['2:0', '2:1', '2:2', '2:1'])
  })

  it('solves once for all who ask the same, and tells a later one the last answer', async () => {
    const { follow, move, market } = hubOver()
    const first = Array.from({ length: 5 }, () => follow(2))
    await settle()
    move(4)
    await settle()
    const late = follow(2)
    await settle()
    expect(market.solves).toBe(2)
    expect(late.got).toEqual(['2:2'])
    for (const { got } of first) expect(got).toEqual(['2:0', '2:2'])
  })

  it('misses no state that comes while it solves, and mixes no topics', async () => {
    const states = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(states, fc.nat(6), async (list, pause) => {
        const { follow, move } = hubOver()
        const all = [1, 2, 3, 3, 5].map((request, n) => ({
          ...{ request, got: follow(request, `key ${n % 2}`).got },
        }))
        for (const [n, state] of list.entries()) {
          move(state)
          if (n % 4 === 3) await settle()
          for (let k = 0; k < pause; k++) await turn()
        }
        await settle()
        for (const { request, got } of all) {
          const texts = [1, ...list].map((state) => `${request}:${Math.floor(state / request)}`)
          expect(got).toEqual(texts.filter((text, n) => text !== texts[n - 1]))
        }
      }),
      { numRuns: 40 },
    )
  })

  it('skips the oldest states if it is far behind, and ends with the newest', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { follow, move } = hubOver({
      answer: ({ request, state }) => held.then(() => event(`${request}:${state}`)),
    })
    const { got } = follow(1)
    await settle()
    for (let state = 2; state <= 30; state++) move(state)
    release()
    await settle()
    expect(got).toEqual(['1:1', ...[23, 24, 25, 26, 27, 28, 29, 30].map((n) => `1:${n}`)])
  })

  it('tells a fault once, and the answer again when the fault is gone', async () => {
    const { follow, hub, market } = hubOver()
    const { got } = follow(2)
    await settle()
    market.fault = 'stale'
    hub.check()
    hub.check()
    market.fault = undefined
    hub.check()
    await settle()
    hub.check()
    await settle()
    expect(got).toEqual(['2:0', 'stale', '2:0'])
  })

  it('solves nothing for nobody, and ends all with a last event', async () => {
    const { follow, hub, market, move } = hubOver()
    const gone = follow(2)
    const stays = follow(3)
    await settle()
    gone.leave()
    const before = market.solves
    move(9)
    await settle()
    expect(market.solves).toBe(before + 1)
    hub.end('bye')
    move(30)
    await settle()
    expect(stays.got).toEqual(['3:0', '3:3', 'bye'])
    expect(gone.got).toEqual(['2:0'])
  })
})
