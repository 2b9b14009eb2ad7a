/** Whether a hop is the wrapping or unwrapping at an end of the route. */
export function isWrap(poolType: string): boolean {
  return poolType === 'wrap' || poolType === 'unwrap'
}
