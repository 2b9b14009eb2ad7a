import { describe, expect, it } from 'vitest'
import { createChainClock } from './clock.js'

const START_MS = 1_790_000_000_000

/** Clocks that tests move apart: `pass` moves both, `step` only the system's. */
function setUp() {
  let steadyMs = 5_000
  let offsetMs = START_MS - steadyMs
  const clock = createChainClock({ unixMs: () => steadyMs + offsetMs, steadyMs: () => steadyMs })
  return {
    clock,
    pass: (ms: number) => {
      steadyMs += ms
    },
    step: (ms: number) => {
      offsetMs += ms
    },
    /** The timestamp of a block made just now, by the true time. */
    block: () => BigInt(Math.floor((START_MS - 5_000 + steadyMs) / 1_000)),
  }
}

describe('the lag of a block', () => {
  it('is the time since its own timestamp, not since it was received', () => {
    const { clock, pass, block } = setUp()
    const made = block()
    pass(10_000)
    expect(clock.lagMs(made)).toBe(10_000)
    expect(clock.steps()).toBe(0)
  })

  it('is not hidden by a clock that is set back an hour', () => {
    const { clock, pass, step, block } = setUp()
    const frozen = block()
    expect(clock.lagMs(frozen)).toBe(0)
    step(-3_600_000)
    for (let i = 0; i < 200; i++) {
      pass(1_000)
      expect(clock.lagMs(frozen)).toBe((i + 1) * 1_000)
    }
    expect(clock.steps()).toBe(1)
  })

  it('counts a step forward at once, because the machine may have slept', () => {
    const { clock, step, block } = setUp()
    step(30_000)
    expect(clock.lagMs(block())).toBe(30_000)
    expect(clock.steps()).toBe(1)
  })

  it('follows a clock that is corrected back after a minute, if blocks do not contradict it', () => {
    const { clock, pass, step, block } = setUp()
    step(30_000)
    expect(clock.lagMs(block())).toBe(30_000)
    step(-30_000)
    for (let i = 0; i < 60; i++) {
      expect(clock.lagMs(block())).toBe(30_000)
      pass(1_000)
    }
    expect(clock.lagMs(block())).toBe(0)
    expect(clock.steps()).toBe(2)
  })

  it('follows small corrections without counting a step', () => {
    const { clock, pass, step, block } = setUp()
    for (let i = 0; i < 20; i++) {
      pass(1_000)
      step(-100)
      clock.lagMs(block())
    }
    expect([clock.lagMs(block()), clock.steps()]).toEqual([-2_000, 0])
  })
})
