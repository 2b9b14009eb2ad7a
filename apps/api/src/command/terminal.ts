/** Output and environment of the program: a process, or a test. */
export type Terminal = {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
}
