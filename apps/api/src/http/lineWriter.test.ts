import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLineWriter } from './lineWriter.js'

let folder: string
let pipes = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'braid-lines-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Both ends of a new pipe, neither of which waits for the other. */
function openPipe() {
  const path = join(folder, `${pipes++}`)
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  return { path, reader, writer }
}

/** Reads the bytes that a pipe has now, or waits for the next. */
function readAll(fd: number, most = 1 << 20): string {
  const buffer = Buffer.alloc(most)
  try {
    return buffer.toString('utf8', 0, readSync(fd, buffer))
  } catch {
    return ''
  }
}

describe('lines to a pipe', () => {
  it('arrive in order, also the last ones before the exit', async () => {
    const { reader, writer } = openPipe()
    const lines = createLineWriter(writer)
    lines.write('a\n')
    lines.write('b\n')
    let text = ''
    while (!text.includes('b')) {
      await nextTurn()
      text += readAll(reader)
    }
    lines.write('c\n')
    while (!text.includes('c')) {
      await nextTurn()
      text += readAll(reader)
    }
    expect(text).toBe('a\nb\nc\n')
    lines.write('d\n')
    lines.end()
    lines.write('at the exit\n')
    expect(readAll(reader)).toBe('d\nat the exit\n')
  })

  it('let the process end if the reader is gone while lines wait', async () => {
    const { reader, writer } = openPipe()
    const lines = createLineWriter(writer)
    closeSync(reader)
    lines.write('under way\n')
    await nextTurn()
    lines.write('waits\n')
    // Pino's own destination never returns from here.
    lines.end()
    lines.write('at the exit\n')
    // The writer stays open: the line under way would go to the next pipe with its number.
  })

  it('wait for a slow reader, and are complete then', async () => {
    const { reader, writer } = openPipe()
    const lines = createLineWriter(writer)
    // More than a pipe takes at once.
    const sent = Array.from({ length: 3_000 }, (_, i) => `${i} ${'x'.repeat(100)}\n`)
    for (const line of sent) lines.write(line)
    let text = ''
    while (text.length < sent.join('').length) {
      await nextTurn()
      text += readAll(reader)
    }
    expect(text).toBe(sent.join(''))
    closeSync(reader)
    closeSync(writer)
  })

  it('stay whole if two processes write to a slow reader', async () => {
    const { path, reader, writer } = openPipe()
    const other = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    const sent = 'ab'
    const count = 1_000
    for (const [i, fd] of [writer, other].entries()) {
      const lines = createLineWriter(fd)
      for (let n = 0; n < count; n++) lines.write(`${sent[i]!.repeat(100)}\n`)
    }
    let text = ''
    while (text.length < 2 * count * 101) {
      // Longer than between two attempts to write, so that the pipe is nearly full at each.
      await sleep(15)
      text += readAll(reader, 10_000)
    }
    expect(new Set(text.split('\n'))).toEqual(new Set(['a'.repeat(100), 'b'.repeat(100), '']))
    for (const fd of [reader, writer, other]) closeSync(fd)
  })

  it('give up after a while at the exit if the reader stands still', () => {
    const { reader, writer } = openPipe()
    const lines = createLineWriter(writer)
    for (let i = 0; i < 3_000; i++) lines.write(`${'x'.repeat(100)}\n`)
    lines.end()
    lines.write('not waited for\n')
    // A pipe takes this many bytes.
    expect(readAll(reader).length).toBeGreaterThan(4_096)
    closeSync(reader)
    closeSync(writer)
  })
})
