/**
 * Pools of families from outside, by the name of the family. Empty here. A package that adds a family
 * declares the type of its pools, which then is a part of `Pool`:
 *
 * @example
 * declare module '@braid-swap/core' {
 *   interface OutsidePools { myFamily: MyPool }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: packages outside add to it
export interface OutsidePools {}
