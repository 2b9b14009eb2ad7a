/**
 * States what the EVM charges for crossing a tick of an Algebra pool, first and again (EIP-2929, EIP-2200).
 * Both versions write two fee growths per crossed tick; all other slots are the same both times.
 */
const READ_COLD = 2_100
const ZERO_TO_NONZERO = 20_000
const NONZERO_TO_NONZERO = 2_900
const UNCHANGED = 100
const FEE_GROWTHS = 2

// A call gets at most 63/64 of what its caller has left, and a pool is two calls deep: the router calls
// the executor, which calls the pool. The gas limit is therefore higher than the gas used.
const LIMIT_PER_USED = (64 / 63) ** 2

/** Gas of a write to a slot that is zero, above one to a slot that is not. */
const FROM_ZERO = ZERO_TO_NONZERO - NONZERO_TO_NONZERO

/** Gas of a write to a slot that is zero, above one that leaves it zero. */
const STAYS_ZERO = ZERO_TO_NONZERO - UNCHANGED

// The estimates allow for two binary searches among up to 32 timepoints, a step of which reads a slot
// per word of a timepoint. A pool may have a single one.
const SEARCH_STEPS = 2 * 5

/** A search among the 65,536 timepoints of a ring buffer. */
const RING_STEPS = 16

/** Covers by how much the arithmetic of a base varies above the highest measured need. */
const ROUNDING = 10_000

/** Gas limit that the first crossing of a tick needs above a later one. */
export const FIRST_CROSSING = FEE_GROWTHS * FROM_ZERO * LIMIT_PER_USED

/** Most that a later crossing can need less: nobody has paid a fee in a token yet, so both stay zero. */
export const EMPTY_CROSSING = FEE_GROWTHS * (NONZERO_TO_NONZERO - UNCHANGED) * LIMIT_PER_USED

/** A gas limit by the model, the one that the node needs, and the number of ticks crossed. */
export type GasSample = { readonly model: number; readonly need: number; readonly crossed: number }

/**
 * Gas that the model has to spare if every tick was crossed before, less what empty crossings may
 * explain. Below zero if ticks are crossed for the first time.
 */
export function spareOverUsedTicks({ model, need, crossed }: GasSample): number {
  return model - need - crossed * (FIRST_CROSSING + EMPTY_CROSSING)
}

/**
 * Gas limit that Algebra Integral's estimate adds for what a swap may not need: the first fee ever in
 * the token in, and searches of timepoints.
 */
export const algebraIntegralSpare =
  (FROM_ZERO + SEARCH_STEPS * READ_COLD) * LIMIT_PER_USED + ROUNDING

/**
 * The same of a sliding fee, whose estimate allows for a search among all slots of the ring buffer, and
 * for a factor that was 0.
 */
export const algebraSlidingSpare =
  (2 * FROM_ZERO + RING_STEPS * READ_COLD) * LIMIT_PER_USED + ROUNDING

/**
 * The same of Algebra V1. A timepoint has two words, the second of which stays zero while there is
 * neither volatility nor an average tick, and so does the volume of the block.
 */
export const algebraV1Spare =
  (FROM_ZERO + STAYS_ZERO + 2 * SEARCH_STEPS * READ_COLD) * LIMIT_PER_USED + ROUNDING
