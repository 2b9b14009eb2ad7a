export function answersOf(
  core: object,
  markets: readonly string[],
  width: number,
): {
  readonly market: number
  readonly asked: string
  readonly call: string
  readonly quote: string
}[]
