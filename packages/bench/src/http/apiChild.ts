// A process that the benchmark starts and asks: the API on the recorded market, or its publisher.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Answer, Question, Ready, Solved } from './messages.js'

/** A started process. */
export type Child = Ready & {
  readonly setBlocks: (on: boolean) => Promise<void>
  /** The solver alone in that process, now, on the next orders. */
  readonly solve: (seconds: number) => Promise<readonly Solved[]>
  /** Milliseconds of the processor that the process has used. */
  readonly cpuMs: () => Promise<number>
  readonly end: () => Promise<void>
}

/** Starts a module of this folder and waits until it is ready. Throws if it ends before. */
export async function startChild(module: string, args: readonly string[]): Promise<Child> {
  const child = fork(fileURLToPath(new URL(module, import.meta.url)), [...args])
  const ready = await next<Ready>(child)
  const ask = (question: Question) => {
    child.send(question)
    return next<Answer>(child)
  }
  return {
    ...ready,
    setBlocks: async (on) => void (await ask({ ask: 'blocks', on })),
    solve: async (seconds) => (await ask({ ask: 'solver', seconds })).solved!,
    cpuMs: async () => (await ask({ ask: 'cpu' })).cpuMs!,
    end: async () => {
      child.send({ ask: 'end' } satisfies Question)
      await once(child, 'exit')
    },
  }
}

/** The next message. */
async function next<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController()
  const { signal } = ended
  const exit = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the process ended with ${code}`)
  })
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), exit])
    return message as T
  } finally {
    ended.abort()
    exit.catch(() => {})
  }
}
