/** Whether a hop is a wrap or unwrap at an end of the route. */
export function isWrap(poolType: string): boolean {
  return poolType === 'wrap' || poolType === 'unwrap'
}
