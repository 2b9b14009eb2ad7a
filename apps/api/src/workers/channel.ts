/** Messages between the processes of one machine over Node's IPC, and questions with answers on them. */
import type { Worker } from 'node:cluster'
import type { Channel } from '@braid-swap/feed'

/** The channel from a worker to the process that started it. */
export function parentChannel(): Channel {
  return channelOf(process as unknown as Peer)
}

/** The channel to a worker. */
export function workerChannel(worker: Worker): Channel {
  return channelOf(worker)
}

type Peer = {
  readonly send: (message: object, sent: (error: Error | null) => void) => unknown
  readonly on: (event: 'message', receive: (message: unknown) => void) => unknown
  readonly off: (event: 'message', receive: (message: unknown) => void) => unknown
}

function channelOf(peer: Peer): Channel {
  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        peer.send(message, (error) => (error ? reject(error) : resolve()))
      }),
    listen: (receive) => {
      peer.on('message', receive)
      return () => void peer.off('message', receive)
    },
  }
}

type Question = { readonly ask: string; readonly id: number; readonly of: unknown }
type Reply = { readonly answer: string; readonly id: number; readonly is: unknown }

/** Answers the questions of one name that arrive on a channel; returns a function that ends it. */
export function answerQuestions<Q, A>(
  channel: Channel,
  name: string,
  answer: (question: Q) => A | Promise<A>,
): () => void {
  return channel.listen((message) => {
    const { ask, id, of } = message as Question
    if (ask !== name) return
    // A process that is gone needs no answer.
    Promise.resolve(answer(of as Q))
      .then((is) => channel.send({ answer: name, id, is } satisfies Reply))
      .catch(() => {})
  })
}

/** Asks the other end of a channel. The answer is `undefined` if none comes in time. */
export function createAsker<Q, A>(
  channel: Channel,
  name: string,
  timeoutMs: number,
): (question: Q) => Promise<A | undefined> {
  let ids = 0
  const open = new Map<number, (answer: A) => void>()
  channel.listen((message) => {
    const { answer, id, is } = message as Reply
    if (answer === name) open.get(id)?.(is as A)
  })
  return (of) =>
    new Promise((resolve) => {
      const id = ids++
      const end = (answer?: A) => {
        open.delete(id)
        clearTimeout(timer)
        resolve(answer)
      }
      const timer = setTimeout(end, timeoutMs)
      open.set(id, end)
      channel.send({ ask: name, id, of } satisfies Question).catch(() => end())
    })
}
