/** One thing that was assumed of a chain or a venue, and what the chain says. */
export type Finding = {
  /** `chain`, or the id of a venue. */
  readonly subject: string
  /** What was asked. */
  readonly check: string
  readonly found: string
  readonly assumed: string
  /** Whether what was found is what was assumed; absent where nothing could be told. */
  readonly holds?: boolean
}
