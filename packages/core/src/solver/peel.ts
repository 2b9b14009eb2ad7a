import type { Graph } from '../graph.js'

/**
 * Peels tokens with a single neighbour, again and again: no acyclic route passes through them. What
 * is left is the core; a peeled token hangs on the neighbour it had last, −1 if it had none.
 */
export function peel(
  { tokens, from, to, firstFrom }: Graph,
  isUsable: Uint8Array,
): { readonly isCore: Uint8Array; readonly parent: Int32Array } {
  const isCore = new Uint8Array(tokens.length).fill(1)
  const parent = new Int32Array(tokens.length).fill(-1)
  const degree = new Int32Array(tokens.length)
  // Edges stand by token in and then token out, so parallel pools are neighbours in the list.
  for (let e = 0; e < from.length; e++) if (isFirstTo(e)) degree[from[e]!]!++
  const leaves: number[] = []
  for (let k = 0; k < tokens.length; k++) if (degree[k]! < 2) leaves.push(k)
  for (let leaf = leaves.pop(); leaf !== undefined; leaf = leaves.pop()) {
    if (!isCore[leaf]) continue
    isCore[leaf] = 0
    for (let e = firstFrom[leaf]!; e < firstFrom[leaf + 1]!; e++) {
      const k = to[e]!
      if (!isFirstTo(e) || !isCore[k]) continue
      parent[leaf] = k
      degree[k]!--
      if (degree[k]! < 2) leaves.push(k)
    }
  }
  return { isCore, parent }

  function isFirstTo(e: number): boolean {
    if (!isUsable[e]) return false
    for (let s = e - 1; s >= firstFrom[from[e]!]! && to[s] === to[e]; s--) {
      if (isUsable[s]) return false
    }
    return true
  }
}
