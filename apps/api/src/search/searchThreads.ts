/**
 * Searches in threads of their own, so that the event loop, which answers everything else, never waits for one. Keys
 * take turns, and no key has all threads: a search of another key waits for none of its searches.
 */
import { Worker } from 'node:worker_threads'
import { BaseError, type ErrorDetails, type Graph } from '@braid-swap/core'
import type { Logger } from 'pino'
import { ApiError } from '../errors.js'
import { createGraphWriter, unpackPools } from './graphMessages.js'
import type { Searcher, SearchTerms } from './searcher.js'
import type { Found, Outcome, Search, SearchName } from './searches.js'
import type { PlainError, ThreadAnswer, ThreadQuestion } from './thread.js'

/** A search that has not ended so long after its limit never looks at the time: its thread is ended. */
export const HANG_MS = 5_000

/** Threads that search, and the end of them. */
export type SearchThreads = { readonly search: Searcher; readonly close: () => Promise<void> }

type Job = {
  readonly graph: Graph
  readonly search: Search<SearchName>
  readonly terms: SearchTerms
  readonly resolve: (outcome: Outcome<unknown>) => void
  readonly reject: (error: unknown) => void
}

type Running = { readonly worker: Worker; readonly write: ReturnType<typeof createGraphWriter> }
type Thread = {
  running: Running | undefined
  job: Job | undefined
  /** Ends the thread if its search hangs. */
  hang?: NodeJS.Timeout
}

/**
 * Node cannot start a thread from TypeScript. Run from its sources, the API starts the bundled program, which the
 * build writes, and which every test run builds again.
 */
const PROGRAM = import.meta.url.endsWith('.ts') ? '../../dist/bundle/thread.js' : './thread.js'

/**
 * Starts `count` threads that run a program. A search whose thread ends is rejected, and the next one starts the thread again. The thread of a search that
 * hangs is ended {@link HANG_MS} after the limit of the search, which is answered with DEADLINE_EXCEEDED.
 */
export function openSearchThreads(
  count: number,
  {
    program = new URL(PROGRAM, import.meta.url),
    log,
  }: { readonly program?: URL; readonly log?: Pick<Logger, 'error'> } = {},
): SearchThreads {
  // In the order of their turns: a key moves to the end when one of its searches starts.
  const lines = new Map<string, Job[]>()
  const most = Math.max(1, count - 1)
  const start = (thread: Thread): Running => {
    const worker = new Worker(program)
    worker.unref()
    const running = { worker, write: createGraphWriter() }
    thread.running = running
    worker.on('message', (answer: ThreadAnswer) => {
      const job = release(thread)
      try {
        job?.resolve(outcomeOf(answer, job.graph))
      } catch (error) {
        // Thrown to the listener, a fault of ours would end the process.
        job?.reject(error)
      }
      next()
    })
    const lose = (error: unknown) => {
      if (thread.running !== running) return
      thread.running = undefined
      release(thread)?.reject(error)
      next()
    }
    worker.once('error', lose)
    worker.once('exit', (code) => lose(new Error(`the thread of a search ended with ${code}`)))
    return running
  }
  const threads = Array.from({ length: count }, (): Thread => {
    const thread: Thread = { running: undefined, job: undefined }
    start(thread)
    return thread
  })
  const takeNext = (): Job | undefined => {
    for (const [key, jobs] of lines) {
      if (threads.filter(({ job }) => job?.terms.key === key).length >= most) continue
      const job = jobs.shift()!
      lines.delete(key)
      if (jobs.length > 0) lines.set(key, jobs)
      return job
    }
    return undefined
  }
  const endHung = (thread: Thread): void => {
    const { running } = thread
    const { search, terms, resolve } = release(thread)!
    thread.running = undefined
    void running?.worker.terminate()
    const { name, asked } = search
    log?.error({ search: name, asked }, 'a search did not end at its limit; its thread is replaced')
    const tookMs = terms.limitMs + HANG_MS
    const error = new ApiError('DEADLINE_EXCEEDED', `the search did not end within ${tookMs} ms`)
    resolve({ tookMs, error })
    next()
  }
  const next = (): void => {
    for (const thread of threads) {
      while (!thread.job) {
        const job = takeNext()
        if (!job) return
        if (job.terms.isWanted()) {
          ask(thread.running ?? start(thread), thread, job)
          thread.hang = setTimeout(() => endHung(thread), job.terms.limitMs + HANG_MS)
        } else job.reject(new ApiError('DEADLINE_EXCEEDED', 'nobody waits for the answer any more'))
      }
    }
  }
  const search = <N extends SearchName>(graph: Graph, asked: Search<N>, terms: SearchTerms) =>
    new Promise<Outcome<Found<N>>>((resolve, reject) => {
      const job = { graph, search: asked, terms, resolve, reject } as unknown as Job
      const line = lines.get(terms.key)
      // If all requests of a key took turns between their searches, all would be late at the same time.
      if (line && terms.isContinued) line.unshift(job)
      else if (line) line.push(job)
      else lines.set(terms.key, [job])
      next()
    })
  const close = async () => {
    for (const thread of threads) clearTimeout(thread.hang)
    await Promise.all(threads.map(({ running }) => running?.worker.terminate()))
  }
  return { search, close }
}

/** Takes the job of a thread that has ended it. */
function release(thread: Thread): Job | undefined {
  const { job } = thread
  clearTimeout(thread.hang)
  thread.job = undefined
  return job
}

function ask({ worker, write }: Running, thread: Thread, job: Job): void {
  const { number, message } = write(job.graph)
  const { search, terms } = job
  const question: ThreadQuestion = {
    ...{ graph: number, search, limitMs: terms.limitMs },
    ...(message && { message }),
  }
  worker.postMessage(question)
  thread.job = job
}

function outcomeOf(answer: ThreadAnswer, graph: Graph): Outcome<unknown> {
  if ('error' in answer) return { tookMs: answer.tookMs, error: errorOf(answer.error) }
  return { ...answer, value: unpackPools(answer.value, graph) }
}

function errorOf({ code, message, details, stack }: PlainError): Error {
  if (code !== undefined) return new SearchError(code, message, details)
  const error = new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}

/** An error of a search in another thread, with the code that it had there. */
class SearchError extends BaseError {
  readonly code: string

  constructor(code: string, message: string, details: ErrorDetails | undefined) {
    super(message, details)
    this.code = code
  }
}
