/** The names of Redis keys. Braces keep all of a chain's keys on one node of a cluster. */

/** The name of a key of a chain. */
export function keyOf(chainId: number, name: string): string {
  return `braid:{${chainId}}:${name}`
}
