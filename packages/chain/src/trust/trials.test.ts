import type { Snapshot } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Finding } from './measure.js'
import {
  afterTurn,
  isDue,
  isServed,
  PROOFS,
  poolsOut,
  SETTLED,
  servedSnapshot,
  startTrials,
  type Trial,
  type VenueState,
} from './trials.js'

const POOL = toHex(0xa, 20)
const anyFinding: fc.Arbitrary<Finding> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Finding>({ kind: 'agrees' }) },
  fc.constant<Finding>({ kind: 'less', reason: 'pays less' }),
  fc.constant<Finding>({ kind: 'refused', reason: 'is refused' }),
  fc.constant<Finding>({ kind: 'undecided', reason: 'cannot be asked' }),
)
const anyFindings = fc.array(anyFinding, { maxLength: 120 })

const [fresh] = startTrials({ trust: {} }, [{ id: 'venue' }], new Map()).trust.trials as [Trial]
const agrees: Finding = { kind: 'agrees' }
const less: Finding = { kind: 'less', reason: 'pays less' }

const accusation = { pool: POOL, kind: 'less', reason: 'pays less', since: 1n } as const
const wasLess = ({ accused = [] }: Trial) => accused.some(({ kind }) => kind === 'less')
const isOpenIn = ({ accused = [] }: Trial) => accused.some(({ times }) => times === 1)

/** The trial before and after each verdict; verdict i comes at block i. */
function follow(verdicts: readonly Finding[], start = fresh) {
  let trial = start
  return verdicts.map((verdict, i) => {
    const before = trial
    trial = afterTurn(before, [{ pool: POOL, finding: verdict }], {
      ...{ block: BigInt(i), tells: () => true },
    })
    return { before, verdict, after: trial, block: BigInt(i) }
  })
}

const property = (check: (steps: ReturnType<typeof follow>) => void) =>
  fc.assert(fc.property(anyFindings, (verdicts) => check(follow(verdicts))))

describe('a trial, after any verdicts', () => {
  it('enters answers only from the state before, by enough swaps in a row that agree', () => {
    property((steps) => {
      for (const [i, { before, after }] of steps.entries()) {
        if (after.state === before.state) continue
        const inARow = (count: number) => {
          const last = steps.slice(Math.max(0, i + 1 - count), i + 1)
          const said = last.filter(({ verdict }) => verdict.kind !== 'undecided')
          return last.length === count && said.every(({ verdict }) => verdict.kind === 'agrees')
        }
        if (after.state === 'serving') {
          expect(before.state).toBe('canary')
          expect(after.agreed).toBe(SETTLED)
        }
        if (after.state === 'canary') {
          expect(['shadow', 'quarantined']).toContain(before.state)
          if (before.state === 'quarantined') expect(before.agreed).toBe(SETTLED - 1)
          expect(inARow(1)).toBe(true)
          expect(after.agreed).toBe(PROOFS)
        }
      }
    })
  })

  it('leaves answers with the first swap that pays less, and is quarantined by the second', () => {
    property((steps) => {
      for (const { before, verdict, after } of steps) {
        if (verdict.kind !== 'less') continue
        expect(isServed(after)).toBe(false)
        expect(after.agreed).toBe(0)
        const isSecond = wasLess(before) || before.state === 'quarantined'
        expect(after.state).toBe(isSecond ? 'quarantined' : 'shadow')
      }
    })
  })

  it('keeps the block of its state, and the reason as long as nothing agrees', () => {
    property((steps) => {
      for (const { before, verdict, after, block } of steps) {
        const isEntered = after.state !== before.state || before.since === undefined
        expect(after.since).toBe(isEntered ? block : before.since)
        if (verdict.kind !== 'agrees') expect(after.reason).toBe(verdict.reason)
        if (after.state === 'quarantined') expect(after.reason).toBeDefined()
        const stays =
          verdict.kind === 'undecided'
            ? isOpenIn(before)
            : verdict.kind === 'less' && after.state !== 'quarantined'
        expect(after.turn).toBe(before.turn + (stays ? 0 : 1))
      }
    })
  })

  it('continues over a restart as if there was none', () => {
    fc.assert(
      fc.property(anyFindings, anyFindings, (early, late) => {
        const [last] = follow(early).slice(-1)
        const before = last?.after ?? fresh
        const saved = JSON.parse(
          JSON.stringify(before, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
          (_, value) =>
            typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
        ) as Trial
        const [restored] = startTrials({ trust: { trials: [saved] } }, [{ id: 'venue' }], new Map())
          .trust.trials
        expect(follow(late, restored!)).toEqual(follow(late, before))
      }),
    )
  })
})

describe('a pool that does not pay, of a venue for which it does not speak', () => {
  const serving = follow(Array<Finding>(SETTLED).fill(agrees)).at(-1)!.after
  const step = (trial: Trial, finding: Finding, pool = POOL) =>
    afterTurn(trial, [{ pool, finding }], { block: 9n, tells: () => false })
  const refused: Finding = { kind: 'refused', reason: 'is refused' }
  const out = (trial: Trial) => poolsOut([trial]).map(({ pool }) => pool)

  it('is out by itself, at once if it pays less and with the second refusal, and its venue is served', () => {
    const accused = step(serving, less)
    expect([accused.state, accused.agreed, out(accused)]).toEqual(['serving', SETTLED, [POOL]])
    const [once, twice] = [step(serving, refused), step(step(serving, refused), refused)]
    expect([out(once), out(twice)]).toEqual([[], [POOL]])
    expect(twice.state).toBe('serving')
    const pools = [
      { id: POOL, venue: 'venue' },
      { id: toHex(0xb, 20), venue: 'venue' },
    ]
    const state = { snapshot: { pools } as unknown as Snapshot }
    const { pools: served } = servedSnapshot({ state, trust: { trials: [twice] } })
    expect(served.map(({ id }) => id)).toEqual([toHex(0xb, 20)])
  })

  it('is back after as many swaps that agree, so that one that flaps stays out ever longer', () => {
    let trial = serving
    for (let times = 1; times <= 4; times++) {
      for (let i = 0; i < times; i++) trial = step(trial, less)
      for (let i = 1; i <= times; i++) {
        expect(out(trial)).toEqual([POOL])
        trial = step(trial, agrees)
      }
      expect(out(trial)).toEqual([])
    }
  })

  it('convicts nobody by a lack of gas, however often', () => {
    let trial = serving
    for (let i = 0; i < 10; i++) trial = step(trial, { kind: 'outOfGas', reason: 'needs more gas' })
    expect([trial.state, trial.accused]).toEqual(['serving', undefined])
  })
})

describe('a venue in quarantine', () => {
  const [, { after: quarantined }] = follow([less, less]) as [unknown, { after: Trial }]

  it('is asked in every 20th round, and returns as a canary after 20 swaps in a row that agree', () => {
    expect(quarantined.state).toBe('quarantined')
    const rounds = Array.from({ length: 200 }, (_, round) => isDue(quarantined, round, false))
    expect(rounds.filter(Boolean)).toHaveLength(10)
    const states = follow(Array<Finding>(2 * SETTLED).fill(agrees), quarantined).map(
      ({ after }) => after.state,
    )
    expect(states.indexOf('canary')).toBe(SETTLED - 1)
    expect(states.indexOf('serving')).toBe(2 * SETTLED - PROOFS - 1)
  })

  it('begins again with each swap that does not', () => {
    const almost = Array<Finding>(SETTLED - 1).fill(agrees)
    for (const other of [less, { kind: 'refused', reason: 'is refused' } as const]) {
      const steps = follow([...almost, other, ...almost], quarantined)
      expect(steps.every(({ after }) => after.state === 'quarantined')).toBe(true)
    }
  })
})

it('a venue in answers is asked in each round after a refusal, and is out after three', () => {
  const serving = follow(Array<Finding>(SETTLED).fill(agrees)).at(-1)!.after
  const refused: Finding = { kind: 'refused', reason: 'is refused' }
  const states = follow([refused, refused, refused], serving)
  expect(states.map(({ after }) => after.state)).toEqual(['serving', 'serving', 'shadow'])
  expect(isDue(serving, 1, false)).toBe(false)
  expect(isDue(states[0]!.after, 1, false)).toBe(true)
})

describe('the rounds in which a venue is asked', () => {
  const every = (trial: Partial<Trial>, isLimited: boolean) => {
    const rounds = Array.from({ length: 240 }, (_, round) => round)
    return 240 / rounds.filter((round) => isDue({ ...fresh, ...trial }, round, isLimited)).length
  }

  it.each<[string, Partial<Trial>, number, number]>([
    ['new', {}, 1, 4],
    ['new until its 60th question', { turn: 59 }, 1, 4],
    ['without success for so long', { turn: 60 }, 20, 60],
    ['a canary', { state: 'canary' }, 1, 60],
    ['proven', { state: 'serving', turn: 20 }, 20, 60],
    ['refused last', { state: 'serving', turn: 20, misses: 1 }, 1, 4],
    ['refused while it is not in answers', { turn: 60, misses: 1 }, 20, 60],
    [
      'with a pool that was just accused',
      { turn: 60, accused: [{ ...accusation, times: 1 }] },
      1,
      4,
    ],
    ['with a pool that is out', { turn: 60, accused: [{ ...accusation, times: 2 }] }, 20, 60],
    ['in quarantine', { state: 'quarantined' }, 20, 60],
    ['set by the operator', { isFixed: true }, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])('are, if it is %s', (_, trial, free, limited) => {
    expect([every(trial, false), every(trial, true)]).toEqual([free, limited])
  })
})

describe('the trials at a start', () => {
  const [a, b] = [{ id: 'a' }, { id: 'b' }]
  const earned: Trial = { ...fresh, venue: 'a', state: 'serving', agreed: 30, turn: 30, since: 5n }
  const start = (states: Parameters<typeof startTrials>[2], trials: readonly Trial[] = [earned]) =>
    startTrials({ trust: { trials } }, [a, b], states).trust.trials

  it('continue, begin in the shadow, and end with their venue', () => {
    const gone = { ...earned, venue: 'gone' }
    expect(start(new Map(), [gone, earned])).toEqual([earned, { ...fresh, venue: 'b' }])
  })

  it('have the states that the operator sets for one or for all', () => {
    const reason = 'set by the operator'
    const fixed = (venue: string, state: VenueState): Trial => ({
      ...{ ...fresh, venue, state, isFixed: true, reason },
    })
    const states = new Map([
      ['a', 'quarantined'],
      ['all', 'serving'],
    ] as const)
    expect(start(states)).toEqual([fixed('a', 'quarantined'), fixed('b', 'serving')])
    // What was set is forgotten with the setting, and `shadow` lets a venue start over.
    const shadow = { ...fresh, venue: 'a' }
    expect(start(new Map(), [fixed('a', 'serving')])[0]).toEqual(shadow)
    expect(start(new Map([['a', 'shadow']]))[0]).toEqual(shadow)
  })

  it('decide which pools are served', () => {
    const pools = ['a', 'b', 'other'].map((venue) => ({ venue }))
    const snapshot = { pools } as unknown as Snapshot
    const served = (trials?: readonly Trial[]) =>
      servedSnapshot({ state: { snapshot }, trust: { ...(trials && { trials }) } })
    expect(served(start(new Map())).pools.map(({ venue }) => venue)).toEqual(['a', 'other'])
    expect(served([earned])).toBe(snapshot)
    expect(served()).toBe(snapshot)
  })
})
