/**
 * Streams of answers, one for each request and shared by all who send the same. Input: states of the market, in
 * order. Output: one event for each state at which the answer changed. A topic solves one state after the other, so
 * that no event is missed or mixed. It knows nothing of HTTP and quotes, so that both can be tested alone.
 */

/** An answer as an event. Two answers are the same if their `identity` is. */
export type StreamEvent = { readonly identity: string; readonly text: string }

/** Who follows a topic. `end` ends the stream with a last event. */
export type Follower = Readonly<Record<'send' | 'end', (text: string) => void>>

/** Gives a hub states of type `S` and the answers to requests of type `R`. */
export type HubOptions<S, R> = {
  /** The newest state, or `undefined`. */
  readonly current: () => S | undefined
  /** The event for a request at a state, in a turn of the key. Never throws: a fault is an event too. */
  readonly answer: (asked: { request: R; state: S; key: string }) => Promise<StreamEvent>
  /** The event for a fault that no state brings, such as a state that is too old; else `undefined`. */
  readonly fault: () => StreamEvent | undefined
}

/** Everyone who follows the answers to one request, and the states that are not answered yet. */
type Topic<S, R> = {
  readonly request: R
  /** Each with its key; the solves take turns of the first. */
  readonly followers: Map<Follower, string>
  readonly waiting: S[]
  isBusy: boolean
  last: StreamEvent | undefined
  isFaulted: boolean
}

/** States that may wait for a topic; older ones are skipped, because nobody can trade on them. */
const MAX_WAITING = 8

/** An empty hub. */
export function createHub<S, R>({ current, answer, fault }: HubOptions<S, R>) {
  const topics = new Map<string, Topic<S, R>>()
  // A key has one solve at a time, so that its streams take one place from its other requests.
  const chains = new Map<string, Promise<void>>()
  const chained = async (key: string, work: () => Promise<void>): Promise<void> => {
    const run = (chains.get(key) ?? Promise.resolve()).then(work)
    chains.set(key, run)
    await run
    if (chains.get(key) === run) chains.delete(key)
  }
  const publish = (topic: Topic<S, R>, event: StreamEvent) => {
    if (event.identity === topic.last?.identity) return
    topic.last = event
    for (const follower of [...topic.followers.keys()]) follower.send(event.text)
  }
  const pump = async (topic: Topic<S, R>) => {
    if (topic.isBusy) return
    topic.isBusy = true
    for (;;) {
      const [key] = topic.followers.values()
      if (topic.waiting.length === 0 || key === undefined) break
      await chained(key, async () => {
        const state = topic.waiting.shift()
        if (state === undefined || topic.followers.size === 0) return
        const event = await answer({ request: topic.request, state, key })
        topic.isFaulted = false
        publish(topic, event)
      })
    }
    topic.isBusy = false
  }
  const push = (topic: Topic<S, R>) => {
    const state = current()
    if (state === undefined) return
    topic.waiting.push(state)
    if (topic.waiting.length > MAX_WAITING) topic.waiting.shift()
    void pump(topic)
  }
  return {
    /** Sends the present answer to a request, named the same for the same, and then each that differs. Returns its end. */
    follow: (
      { name, key, request }: { name: string; key: string; request: R },
      follower: Follower,
    ) => {
      const known = topics.get(name)
      const begun = { isBusy: false, last: undefined, isFaulted: false }
      const topic: Topic<S, R> = known ?? { request, followers: new Map(), waiting: [], ...begun }
      topics.set(name, topic)
      topic.followers.set(follower, key)
      if (topic.last) follower.send(topic.last.text)
      if (!known) push(topic)
      return () => {
        topic.followers.delete(follower)
        if (topic.followers.size === 0 && topics.get(name) === topic) topics.delete(name)
      }
    },
    /** There is a new state. */
    onState: () => {
      for (const topic of topics.values()) push(topic)
    },
    /** Looks for faults that no state brings; to be called now and then. */
    check: () => {
      const found = fault()
      for (const topic of topics.values()) {
        if (topic.isBusy) continue
        if (found) publish(topic, found)
        else if (topic.isFaulted) push(topic)
        topic.isFaulted = found !== undefined
      }
    },
    /** Ends all streams with a last event. */
    end: (text: string) => {
      const all = [...topics.values()].flatMap(({ followers }) => [...followers.keys()])
      topics.clear()
      for (const follower of all) follower.end(text)
    },
  }
}
