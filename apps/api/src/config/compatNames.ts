// The names of the drop-in shapes, apart from what they do, because the configuration needs only them.

/** The allowed names in `BRAID_COMPAT`. */
export const compatNames = ['akka', 'liquidswap', '0x'] as const

/** The name of a shape. */
export type CompatName = (typeof compatNames)[number]
