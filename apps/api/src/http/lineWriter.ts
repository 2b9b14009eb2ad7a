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

/** Opens a writer to a descriptor. It drops all lines once nobody can read them. */
export function createLineWriter(fd: number): LineWriter {
  let lines: string[] = []
  /** The rest of lines that were begun, while no write is under way. */
  let rest: Buffer = Buffer.alloc(0)
  let [isWriting, isGone, hasEnded] = [false, false, false]
  const takeAll = () => {
    const bytes = Buffer.concat([rest, Buffer.from(lines.join(''))])
    lines = []
    rest = Buffer.alloc(0)
    return bytes
  }
  const next = () => {
    const bytes = takeAll()
    isWriting = bytes.length > 0
    if (!isWriting) return
    write(fd, bytes, (error, written) => {
      if (error && !isBusy(error)) {
        isGone = true
        lines = []
        return
      }
      rest = Buffer.concat([error ? bytes : bytes.subarray(written), rest])
      if (error) setTimeout(next, RETRY_MS).unref()
      else next()
    })
  }
  const flushSync = () => {
    if (isGone) return
    let bytes = takeAll()
    const endMs = performance.now() + PATIENCE_MS
    while (bytes.length > 0 && performance.now() < endMs) {
      try {
        bytes = bytes.subarray(writeSync(fd, bytes))
      } catch (error) {
        if (!isBusy(error as NodeJS.ErrnoException)) {
          isGone = true
          return
        }
        pause()
      }
    }
    rest = bytes
    // At the exit a reader that stands still is waited for once.
    if (hasEnded && bytes.length > 0) isGone = true
  }
  return {
    write: (line) => {
      if (isGone) return
      lines.push(line)
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

/** Whether a descriptor takes nothing at the moment. */
function isBusy({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY'
}

/** Waits {@link RETRY_MS} without the event loop, which has ended. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
}
