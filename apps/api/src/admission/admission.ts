/**
 * Admission of requests to the one thread that solves: fair queueing by key (round robin over the
 * keys, first come first served within a key), bounded, with a share of the places for each key.
 * One key, however many requests it sends, cannot take the places or the time of another.
 */

/** Why an entry was refused. */
export type Refusal = 'full' | 'displaced'

/** One request that waits for its turn. */
export type Entry = {
  /** Starts the request. Called once, in a turn of the event loop. */
  readonly start: () => void
  /** Refuses the request. Called once, instead of `start`. */
  readonly refuse: (why: Refusal) => void
}

/** The place of an admitted request. */
export type Place = {
  /** Frees the place: the request is answered, or its client is gone. Later calls do nothing. */
  readonly leave: () => void
}

/** Requests that wait for their turn or are under way. */
export type Admission = {
  /** Lets a request wait for its turn. Undefined if it was refused, after the call of `refuse`. */
  readonly enter: (key: string, entry: Entry) => Place | undefined
  /** Tells that a connection was accepted: there may be more, which go before waiting requests. */
  readonly accepted: () => void
  /** Requests that wait for their turn. */
  readonly waiting: () => number
  /** Requests that wait or are under way. */
  readonly total: () => number
}

/** Limits and clock of an {@link Admission}. */
export type AdmissionOptions = {
  /** Maximum number of requests that wait or are under way, before the shares of keys count. */
  readonly places: number
  /** A clock in milliseconds that never steps. */
  readonly now: () => number
}

/**
 * Time after which a turn of the event loop starts no further request. New connections, the chain
 * follower and health checks wait for at most this and one request.
 */
const TURN_MS = 4
/** Requests that one turn may start if they are that fast. */
const TURN_REQUESTS = 8

/** A request that holds a place until it leaves. */
type Holder = { readonly line: Line; readonly entry: Entry; isHeld: boolean }
/** The waiting requests of one key, oldest first, and the number of its places. */
type Line = { readonly key: string; readonly waiting: Holder[]; held: number }

/** An empty admission of `maxConcurrent` places, on the clock of the process. */
export function openAdmission({ maxConcurrent }: { readonly maxConcurrent: number }): Admission {
  return createAdmission({ places: maxConcurrent, now: () => performance.now() })
}

/**
 * An empty admission. A request is admitted while places are free. When none is free, a key that
 * holds less than its share (the places divided by the keys that hold any) is admitted anyway and
 * displaces the newest waiting request of the key that holds most, if that one is above its share.
 */
export function createAdmission({ places, now }: AdmissionOptions): Admission {
  // In the order of their turns: a key moves to the end when one of its requests starts.
  const lines = new Map<string, Line>()
  let [waiting, total] = [0, 0]
  const leave = (holder: Holder) => {
    const { line } = holder
    if (!holder.isHeld) return
    holder.isHeld = false
    const at = line.waiting.indexOf(holder)
    if (at >= 0) line.waiting.splice(at, 1)
    if (at >= 0) waiting -= 1
    total -= 1
    line.held -= 1
    if (line.held === 0) lines.delete(line.key)
  }
  const displace = (share: number) => {
    let longest: Line | undefined
    for (const line of lines.values()) {
      if (line.waiting.length > 0 && line.held > (longest?.held ?? share)) longest = line
    }
    const holder = longest?.waiting.at(-1)
    if (!holder) return
    leave(holder)
    holder.entry.refuse('displaced')
  }
  const startNext = () => {
    for (const line of lines.values()) {
      const holder = line.waiting.shift()
      if (!holder) continue
      waiting -= 1
      lines.delete(line.key)
      lines.set(line.key, line)
      return holder.entry.start()
    }
  }
  const { wake, accepted } = createTurns({ startNext, isIdle: () => waiting === 0, now })
  const enter = (key: string, entry: Entry): Place | undefined => {
    const held = lines.get(key)?.held ?? 0
    if (total >= places) {
      const share = Math.max(1, Math.floor(places / (lines.size + (held > 0 ? 0 : 1))))
      if (held >= share) {
        entry.refuse('full')
        return undefined
      }
      displace(share)
    }
    const line = lines.get(key) ?? { key, waiting: [], held: 0 }
    lines.set(key, line)
    const holder = { line, entry, isHeld: true }
    line.waiting.push(holder)
    line.held += 1
    waiting += 1
    total += 1
    wake()
    return { leave: () => leave(holder) }
  }
  return { enter, accepted, waiting: () => waiting, total: () => total }
}

/**
 * Starts waiting requests in turns of the event loop: at least one in each turn, and more until
 * {@link TURN_MS} have passed. Between two turns the loop reads, writes and accepts connections.
 *
 * Node accepts one connection in a turn. While they arrive, turns therefore start nothing, so that a
 * new connection does not wait for as many requests as there are connections before it; but for no
 * longer than the last requests took, so that connections cannot stop the answers.
 */
function createTurns({
  startNext,
  isIdle,
  now,
}: {
  readonly startNext: () => void
  readonly isIdle: () => boolean
  readonly now: () => number
}): Pick<Admission, 'accepted'> & { readonly wake: () => void } {
  let isPlanned = false
  let hasAccepted = false
  let last = { endedMs: 0, tookMs: 0 }
  const begin = () => {
    const startedMs = now()
    const mustAccept = hasAccepted && startedMs - last.endedMs < last.tookMs
    hasAccepted = false
    return mustAccept ? undefined : startedMs
  }
  const plan = () => {
    isPlanned = true
    let startedMs: number | undefined
    // Immediates planned together run in one turn; what a request does until its first wait runs
    // between two of them.
    for (let i = 0; i < TURN_REQUESTS; i++) {
      setImmediate(() => {
        if (i === 0) startedMs = begin()
        if (startedMs === undefined || (i > 0 && now() - startedMs >= TURN_MS)) return
        startNext()
      })
    }
    setImmediate(() => {
      const endedMs = now()
      if (startedMs !== undefined) last = { endedMs, tookMs: endedMs - startedMs }
      isPlanned = false
      if (!isIdle()) plan()
    })
  }
  return {
    wake: () => {
      if (!isPlanned) plan()
    },
    accepted: () => {
      hasAccepted = true
    },
  }
}
