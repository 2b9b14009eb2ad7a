import { BaseError } from '@braid-swap/core'
import pino from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { createTroubles, type Troubles } from './trouble.js'

class Missing extends BaseError {
  readonly code = 'NO_MULTICALL'
}

let nowMs = 0
let lines: string[] = []
let troubles: Troubles
beforeEach(() => {
  nowMs = 0
  lines = []
  troubles = createTroubles(
    pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    () => nowMs,
  )
})

function failFor(ms: number, error: unknown) {
  for (const end = nowMs + ms; nowMs <= end; nowMs += 1_000) troubles.failed(error)
}

describe('failed rounds', () => {
  it('of less than five seconds are no trouble', () => {
    failFor(3_000, new Error('lost'))
    expect(troubles.lasting()).toBeUndefined()
    expect(lines).toEqual([])
  })

  it('are one line for a cause that lasts, with its age and what to do', () => {
    failFor(20_000, new Missing('no Multicall3 answers'))
    expect(troubles.lasting()).toMatchObject({
      code: 'NO_MULTICALL',
      message: expect.stringContaining('deploy it'),
    })
    expect(troubles.lasting()!.lastsMs).toBeGreaterThanOrEqual(20_000)
    expect(lines).toHaveLength(1)
  })

  it('are said in the words of the node', () => {
    failFor(
      6_000,
      Object.assign(new Error('Missing or invalid parameters.'), { details: 'header not found' }),
    )
    expect(troubles.lasting()!.message).toBe('Missing or invalid parameters; header not found')
  })

  it('are another line for another cause, and one when they end', () => {
    failFor(10_000, new Error('lost'))
    failFor(10_000, new TypeError('broken'))
    expect(lines).toHaveLength(2)
    troubles.succeeded()
    expect(troubles.lasting()).toBeUndefined()
    expect(lines).toHaveLength(3)
    failFor(3_000, new Error('lost'))
    expect(lines).toHaveLength(3)
  })
})
