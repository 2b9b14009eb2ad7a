// A row of the diagnosis that `braid doctor` prints.

/** One assumption about a chain or a venue, and what the chain reports. */
export type Finding = {
  /** `chain`, or the id of a venue. */
  readonly subject: string
  readonly check: string
  readonly found: string
  readonly assumed: string
  /** True if the assumption holds; absent if that could not be decided. */
  readonly holds?: boolean
}
