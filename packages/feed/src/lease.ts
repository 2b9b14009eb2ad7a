/** Leadership: at most one process holds the lease, and each change of holder raises the epoch. */

/** Access to the lease of one feed. */
export type Lease = {
  /** Takes or renews the lease: the epoch, or `undefined` while another process holds it. */
  readonly take: () => Promise<number | undefined>
  /** Gives the lease up, so that another process can take it at once. */
  readonly release: () => Promise<void>
  /** Time between two renewals, in milliseconds. */
  readonly renewMs: number
}

/** A lease for the only publisher of a feed. */
export function soleLease(): Lease {
  const epoch = Date.now()
  return { take: async () => epoch, release: async () => {}, renewMs: 60_000 }
}
