/**
 * Who waits, and for what. A request first pays from the budget of its key (`limit.ts`); one that cannot is refused
 * and takes no place. Then it waits here for a place and for its turn in the event loop (`load.ts`), which reads,
 * hashes and writes for all. Its searches wait for one of few threads (`search/searchThreads.ts`), and what it asks of
 * the node is paid from budgets of its own (`asker.ts`).
 *
 * Admission to the event loop: fair queueing by key (round robin over the keys, first come first served within a key),
 * bounded, with a share of the places for each key. One key, however many requests it sends, cannot take the places or
 * the time of another.
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
 * Time after which a turn of the event loop starts no further request, if the loop does little else.
 * New connections, the chain follower and health checks wait for at most this and one request.
 */
const TURN_MS = 8
/** The same if the loop does much else. */
const LONGEST_TURN_MS = 40
/** One turn starts requests at most this many times if they are fast. */
const TURN_STARTS = 32
/**
 * Requests that may be started together, so that what the loop does for each before its search (reading, hashing,
 * asking a thread) runs for all of them at once.
 */
const MAX_TOGETHER = 4
/** Over how many starts the time of a request is averaged. */
const AVERAGED_STARTS = 8

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
    if (at >= 0) waiting -= line.waiting.splice(at, 1).length
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
  const { wake, accepted } = createTurns({ startNext, waiting: () => waiting, now })
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
 * Searches run in threads, but the loop still reads, hashes and writes for each request. Started as they came, requests
 * of 64 connections beside wrong keys left `/healthz` one to four answers in 8 s; in turns it gave 12 to 22.
 *
 * Starts waiting requests in turns of the event loop: at least one in each turn, and more until
 * {@link TURN_MS} have passed, or as much time as the loop spent otherwise since the last turn. So
 * refusals, which cost the loop little but may be many, never take more than half of the time.
 *
 * Node accepts one connection in a turn. While they arrive, turns therefore start nothing, so that a
 * new connection does not wait for as many requests as there are connections before it; but for no
 * longer than the last requests took, so that connections cannot stop the answers.
 */
function createTurns({
  startNext,
  waiting,
  now,
}: {
  readonly startNext: () => void
  readonly waiting: () => number
  readonly now: () => number
}): Pick<Admission, 'accepted'> & { readonly wake: () => void } {
  let isPlanned = false
  let hasAccepted = false
  /** When requests began to wait for this turn. */
  let sinceMs = 0
  let tookMs = 0
  /**
   * Estimates the time of a request; at first a long one. It works in the microtasks after its start, so
   * its time is known before the next start only.
   */
  let eachMs = LONGEST_TURN_MS
  const plan = (count: number) => {
    isPlanned = true
    let startedMs: number | undefined
    let [budgetMs, lastMs, together] = [0, 0, 0]
    const begin = (nowMs: number) => {
      const otherwiseMs = nowMs - sinceMs
      const mustAccept = hasAccepted && otherwiseMs < tookMs
      hasAccepted = false
      if (mustAccept) return
      startedMs = nowMs
      budgetMs = Math.min(Math.max(TURN_MS, otherwiseMs), LONGEST_TURN_MS)
    }
    const learn = (nowMs: number) => {
      if (together > 0) eachMs += ((nowMs - lastMs) / together - eachMs) / AVERAGED_STARTS
    }
    // Immediates planned together run in one turn; what requests do until their first wait runs between
    // two of them.
    for (let i = 0; i < count; i++) {
      setImmediate(() => {
        const nowMs = now()
        if (i === 0) begin(nowMs)
        learn(nowMs)
        together = 0
        if (startedMs === undefined) return
        const restMs = budgetMs - (nowMs - startedMs)
        if (i > 0 && restMs <= 0) return
        lastMs = nowMs
        // Only half of those that wait, so that the answers of a short queue do not wait for each other.
        const most = Math.min(MAX_TOGETHER, Math.ceil(waiting() / 2))
        together = Math.max(1, Math.min(most, Math.ceil(restMs / eachMs)))
        for (let n = 0; n < together; n++) startNext()
      })
    }
    setImmediate(() => {
      const nowMs = now()
      learn(nowMs)
      if (startedMs !== undefined) {
        sinceMs = nowMs
        tookMs = nowMs - startedMs
      }
      isPlanned = false
      if (waiting() > 0) plan(Math.min(waiting(), TURN_STARTS))
    })
  }
  return {
    wake: () => {
      if (isPlanned) return
      sinceMs = now()
      // More may arrive before the turn.
      plan(TURN_STARTS)
    },
    accepted: () => {
      hasAccepted = true
    },
  }
}
