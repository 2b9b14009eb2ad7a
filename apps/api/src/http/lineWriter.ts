/**
 * Lines to a descriptor whose reader may be slow or gone: written asynchronously while the process
 * runs, and synchronously at its exit. Pino's own destination writes its last lines to a reader that
 * is gone again and again, so a process with such lines never ends.
 */
import { write, writeSync } from 'node:fs'

/** Takes lines. */
export type LineWriter = {
  readonly write: (line: string) => void
  /** Writes what waits, now. Returns within {@link PATIENCE_MS} if nobody reads. */
  readonly flushSync: () => void
  /** Does the same, and from now on at every line: the event loop has ended. */
  readonly end: () => void
}

/** Time between two attempts if the reader is slow. */
const RETRY_MS = 10
/** Time that the exit waits for a slow reader. */
const PATIENCE_MS = 1_000

/** Bytes that a pipe takes whole: other processes may write to it too, and lines must not mix. */
const PIPE_BUF = 4_096

/** Opens a writer to a descriptor. It drops all lines once nobody can read them. */
export function createLineWriter(fd: number): LineWriter {
  /** Holds waiting lines, as many together as a pipe takes whole. */
  let chunks: Buffer[] = []
  let [isWriting, isGone, hasEnded] = [false, false, false]
  const add = (line: string) => {
    const last = chunks.at(-1)
    const bytes = Buffer.from(line)
    const isFull = !last || last.length + bytes.length > PIPE_BUF
    if (isFull) chunks.push(bytes)
    else chunks[chunks.length - 1] = Buffer.concat([last, bytes])
  }
  const giveUp = () => {
    isGone = true
    chunks = []
  }
  const next = () => {
    const bytes = chunks.shift()
    isWriting = bytes !== undefined
    if (!bytes) return
    write(fd, bytes, (error, written) => {
      if (error && !isBusy(error)) return giveUp()
      const rest = error ? bytes : bytes.subarray(written)
      if (rest.length > 0) chunks.unshift(rest)
      if (error) setTimeout(next, RETRY_MS).unref()
      else next()
    })
  }
  const flushSync = () => {
    const endMs = performance.now() + PATIENCE_MS
    while (chunks.length > 0 && performance.now() < endMs) {
      try {
        const rest = chunks[0]!.subarray(writeSync(fd, chunks[0]!))
        if (rest.length > 0) chunks[0] = rest
        else chunks.shift()
      } catch (error) {
        if (!isBusy(error as NodeJS.ErrnoException)) return giveUp()
        pause()
      }
    }
    // At the exit a reader that stands still is waited for once.
    if (hasEnded && chunks.length > 0) giveUp()
  }
  return {
    write: (line) => {
      if (isGone) return
      add(line)
      if (hasEnded) return flushSync()
      // The other lines of this turn go with it.
      if (!isWriting) setImmediate(next)
      isWriting = true
    },
    flushSync,
    end: () => {
      hasEnded = true
      flushSync()
    },
  }
}

let ofStdout: LineWriter | undefined

/** The writer to the standard output of the process, which flushes it at the exit. */
export function stdoutWriter(): LineWriter {
  if (ofStdout) return ofStdout
  const writer = createLineWriter(1)
  process.on('exit', writer.end)
  ofStdout = writer
  return writer
}

/** True if a descriptor takes nothing at the moment. */
function isBusy({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY'
}

/** Waits {@link RETRY_MS} without the event loop, which has ended. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
}
