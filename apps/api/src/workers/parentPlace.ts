/** The place for records of quotes in the process that started this one, which writes for all its workers. */
import type { Channel } from '@braid-swap/feed'
import type { RecordPlace } from '../records/recordPlace.js'
import { answerQuestions, createAsker } from './channel.js'

const NAME = 'braid records'
/** The longest timer: lines that are sent twice would be written twice. */
const NEVER_MS = 2 ** 31 - 1

/** Lets a worker write to a place; returns a function that ends it. */
export function servePlace(place: RecordPlace, channel: Channel): () => void {
  return answerQuestions<string, { readonly fault?: string }>(channel, NAME, (text) =>
    place(text).then(
      () => ({}),
      (error: unknown) => ({ fault: (error as Error).message }),
    ),
  )
}

/** The place of the process that started this one. */
export function createParentPlace(channel: Channel): RecordPlace {
  const ask = createAsker<string, { readonly fault?: string }>(channel, NAME, NEVER_MS)
  return async (text) => {
    const answer = await ask(text)
    if (answer?.fault !== undefined) throw new Error(answer.fault)
    if (!answer) throw new Error('the process that writes the records is gone')
  }
}
