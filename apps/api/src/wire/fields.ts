import { z } from 'zod'

/** Wei, as decimal digits. */
export const amount = z.string().regex(/^[0-9]+$/)
/** With or without EIP-55 checksum. */
export const address = z.string().regex(/^0x[a-fA-F0-9]{40}$/)
/** Bytes of any length. */
export const hex = z.string().regex(/^0x[a-fA-F0-9]*$/)
export const percent = z.number().min(0).max(100)
/** Basis points. */
export const bps = z.number().min(0)
