// A row of the diagnosis that `braid doctor` prints.

/** One assumption about a chain or a venue, and what the chain reports. */
export type Finding = {
  /** `chain`, or the id of a venue. */
  readonly subject: string
  /** What was checked. */
  readonly check: string
  readonly found: string
  readonly assumed: string
  /** Whether the assumption is true; absent if it could not be decided. */
  readonly holds?: boolean
}
