/** True for the wrap or unwrap at an end of a route. */
export function isWrap(poolType: string): boolean {
  return poolType === 'wrap' || poolType === 'unwrap'
}
