// What is learnt of the nodes behind a client, kept in the closure of its transport: it lives as long as the client,
// and two clients share nothing.

/** What each part of the package remembers, by the function that makes it at first. */
export type Memory = Map<() => object, object>

/** A client, as far as it matters here. */
type Remembering = { readonly transport: { readonly memory?: Memory } | object }

/** Of clients with a transport of another make. */
const others = new WeakMap<Remembering, Memory>()

/** What a part of the package remembers of a client: an object that the part changes, made at its first use. */
export function memoryOf<T extends object>(client: Remembering, create: () => T): T {
  const own = 'memory' in client.transport ? client.transport.memory : others.get(client)
  const memory = own ?? new Map()
  if (!own) others.set(client, memory)
  const known = (memory.get(create) as T | undefined) ?? create()
  memory.set(create, known)
  return known
}
