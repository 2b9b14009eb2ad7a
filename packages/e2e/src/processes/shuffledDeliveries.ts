/**
 * A way to Redis on which the changes of the market arrive twice, late and out of order: the answers
 * to XREAD are taken apart and put together again. Everything else passes unchanged.
 */
import { createRandom } from '@braid-swap/devnet'
import { openPartition, type Partition, type Rewrite } from '@braid-swap/feed/testing'

/** Counts how often each fault was caused. */
export type Shuffles = { twice: number; late: number; turned: number; lost: number }

/** A partition that can shuffle as well. */
export type ShufflingLink = Partition & {
  readonly shuffle: (isOn: boolean) => void
  readonly shuffles: Readonly<Shuffles>
}

/** Opens a way to Redis; it shuffles nothing until it is asked to. */
export async function openShufflingLink(redisUrl: string, seed: number): Promise<ShufflingLink> {
  const random = createRandom(seed, 11)
  const shuffles: Shuffles = { twice: 0, late: 0, turned: 0, lost: 0 }
  let isOn = false
  let before: Buffer | undefined
  const shuffled = (entries: readonly Buffer[]): readonly Buffer[] => {
    const last = before
    before = entries.at(-1)
    const drawn = random.next()
    if (entries.length > 1 && drawn < 0.7) {
      shuffles.turned += 1
      return entries.toReversed()
    }
    if (drawn < 0.25) {
      shuffles.twice += 1
      return entries.flatMap((entry) => [entry, entry])
    }
    if (drawn < 0.5 && last) {
      shuffles.late += 1
      return [...entries, last]
    }
    if (drawn < 0.65) {
      shuffles.lost += 1
      return []
    }
    return entries
  }
  const link = await openPartition(redisUrl, () =>
    rewriteChanges((entries) => (isOn ? shuffled(entries) : entries)),
  )
  return {
    ...link,
    shuffles,
    shuffle: (on) => {
      isOn = on
    },
  }
}

/** The beginning of an answer to XREAD of one stream, which no other answer has. */
const XREAD = Buffer.from('*1\r\n*2\r\n$')

/** Rewrites the entries of each answer to XREAD on a connection. */
function rewriteChanges(change: (entries: readonly Buffer[]) => readonly Buffer[]): Rewrite {
  let left = Buffer.alloc(0)
  return (bytes) => {
    left = Buffer.concat([left, bytes])
    const parts: Buffer[] = []
    while (true) {
      const end = endOf(left, 0)
      if (end === undefined) return Buffer.concat(parts)
      const answer = left.subarray(0, end)
      left = left.subarray(end)
      parts.push(
        answer.subarray(0, XREAD.length).equals(XREAD) ? rewritten(answer, change) : answer,
      )
    }
  }
}

function rewritten(
  answer: Buffer,
  change: (entries: readonly Buffer[]) => readonly Buffer[],
): Buffer {
  const keyEnd = endOf(answer, XREAD.length - 1)!
  let at = answer.indexOf('\r\n', keyEnd) + 2
  const entries: Buffer[] = []
  while (at < answer.length) {
    const end = endOf(answer, at)!
    entries.push(answer.subarray(at, end))
    at = end
  }
  const changed = change(entries)
  if (changed.length === 0) return Buffer.from('*-1\r\n')
  return Buffer.concat([
    answer.subarray(0, keyEnd),
    Buffer.from(`*${changed.length}\r\n`),
    ...changed,
  ])
}

/** The end of the value that begins at an offset (RESP 2), if all of it has arrived. */
function endOf(bytes: Buffer, at: number): number | undefined {
  const line = bytes.indexOf('\r\n', at)
  if (line === -1) return undefined
  const kind = String.fromCharCode(bytes[at]!)
  const count = Number(bytes.toString('latin1', at + 1, line))
  let end: number | undefined = line + 2
  if (kind === '$' && count >= 0) end += count + 2
  for (let n = 0; kind === '*' && n < count && end !== undefined; n++) end = endOf(bytes, end)
  return end !== undefined && end <= bytes.length ? end : undefined
}
