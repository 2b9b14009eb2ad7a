/**
 * The constants of the solver, each with its reason, by the stage that reads them. They decide how long
 * an answer takes and how good it is, never whether it is right: routes are replayed in integers and
 * bounds are checked. What the benchmark measured stands beside a constant where it decided the value.
 */

// Terms: the defaults of a caller's options.

/** Default of `maxLegs`: the program, and the time to find it, grow with every leg. */
export const DEFAULT_MAX_LEGS = 24
/** Default of `maxGas` as a fraction of the block's limit; leaves room for other transactions. */
export const GAS_SHARE_OF_BLOCK = 0.8
/**
 * Most hops of a single path, if the widest one has no more: with six, 4 of 285 orders pay 330 bp less beside twenty pairs
 * of $50, with eight none does; with ten, an order on Ethereum takes a quarter longer.
 */
export const DEFAULT_PATH_HOPS = 8
/** Edges up to which the bound over simple paths is a default: with 2,600 it doubles the time of an answer. */
export const SMALL_MARKET = 500

// Subgraph and column generation.

/** Tokens between the ends up to which all are chosen. */
export const MAX_WHOLE_TOKENS = 96
/** Otherwise: the tokens with the highest throughput. */
export const HUBS = 40
/** Besides the hubs: the neighbours of both ends with the highest throughput, and what a repetition of the dual adds. */
export const NEIGHBOURS = 8
/** Repetitions of the dual with tokens from outside. */
export const MAX_PRICE_OUTS = 2

// Prices of the dual.

/**
 * The part of an amount that is rounding: the decrease that the next Newton step promises at the end, the imbalance left,
 * and what a path or a token may place less.
 */
export const TOLERANCE = 1e-8
/** Steps of a minimisation, and of each line search in it; a safeguard. */
export const MAX_STEPS = 300
/** Steps after which the system keeps conductances that are gone. */
export const STEPS_BEFORE_HOLD = 20
/** The part of such a conductance that each step keeps. */
export const HELD_CONDUCTANCE = 0.5
/** Largest change of a log price in one step. */
export const MAX_STEP = 2
/** Strong Wolfe: a step ends if |φ′(t)| is at most this fraction of |φ′(0)|. Loose: fewer evaluations. */
export const WOLFE_CURVATURE = 0.5
/** At a kink φ′ is nowhere small; the search then ends when its bracket has this ratio. */
export const BRACKET_RATIO = 1.5
/** Factor of the line search: of the last length for the first trial, of a trial too short, and back if curvature fails. */
export const EXPAND = 8
/** Steps of a clearing price: with three, moves of orders that drain their pools are ranked by wrong prices. */
export const CLEARING_STEPS = 6
/** The part of the imbalance at its ends that a clearing price may leave. */
export const CLEARED_IMBALANCE = 1e-3
/**
 * The dual fills a pool only this far: the inflow of a token whose outgoing edges are all full is known to a few
 * digits only, and shares have 24 bits.
 */
export const FILL_LIMIT = 1 - 4e-6
/** The recovered flow fills a pool a little further. */
export const RECOVERY_LIMIT = 1 - 5e-7
/**
 * Resolution of log prices in floats, above the error of a price after five roundings. The whole flow of a deep pool can
 * correspond to a price move below it. Such a pool counts as trading even if its flow is zero, so that its conductance
 * enters the Newton system.
 */
export const RESOLUTION = 1e-14

// Single paths.

/**
 * Labels per token and number of hops of which none is of no use beside another: the best may already contain the
 * token needed next. With 5, those that had passed the only token next to the sink crowded the best path out.
 */
export const LABELS_PER_TOKEN = 8
/**
 * Digits that a float of a curve lacks; and, relative to the value of the order, the conductance of what no trade
 * determines, so that idle tokens and edges yield last.
 */
export const FLOAT_ROUNDING = 1e-12
/** Paths of each search that seed a split: with all, the time doubles, and of 150 orders none pays more. */
export const SEED_PATHS = 2
/** The parts of the order whose paths are searched. */
export const PARTS = [1 / 4, 1 / 16, 1 / 64, 1 / 256]
/**
 * Paths for the whole order are also ranked where all gas of the cap costs so many times what the best of them
 * pays, in effect by gas alone: of 1,080 quotes on the devnet 59 pay more, up to 3.7 times as much, and none less.
 */
export const PATH_SCARCITIES = [2, 1e6]
/** What a path may place less in wei, because curves end wei before their pools. */
export const FILL_TOLERANCE_WEI = 1e4

// Choice of the edges.

/** Part of an order, its value or a price that is noise: a flow, a gain or an earning below it does not count. */
export const NEGLIGIBLE = 1e-7
/** Fraction of the surplus legs dropped per solve; predictions are accurate to second order only. */
export const BATCH = 0.5
/** Worthless edges whose cascade has more legs than this wait for the shorter ones: they may be a bridge. */
export const SHORT_CASCADE = 2
/** Approximate gas of a leg; makes scores by gas and by legs comparable. */
export const LEG_GAS = 1e5

// Choice of the columns.

/** Columns that may be evaluated: with 3,000, none of 550 orders up to $3M pays more, and the dearest takes twice as long. */
export const MAX_BUDGET = 1200
/** After as many no further seed is tried while gas is not contested: of 4,560 orders none pays less; with 60, two of 1,500 do. */
export const UNCONTESTED_BUDGET = 120
/** The evaluations that a step of the search costs besides its own, to list and rank its moves. */
export const STEP_COST = 3

/** Moves tried for each that is made: with 24, none of 450 orders pays more. */
export const MAX_MOVES_TRIED = 8
/** While columns need less than this part of the cap on gas, moves do not compete for gas. */
export const UNCONTESTED_GAS = 1 / 2
/** Ticks by which a column is extended. */
export const TICKS = [1, 2, 4]
/** Moves merged into one, columns into and out of a new token that are tried in pairs, and ways to make a move fit. */
export const MAX_MERGED = 3
/** A search goes on from other seeds and paths until it is this close to the bound: at 5e-4, 6 of 3,000 orders pay less. */
export const CLOSE_TO_BOUND = 2e-4

// Realisation.

/**
 * A hundredth of a basis point: output as far below its prediction has its shares refined and the hull of its pool cut, and
 * an answer as close to its bound counts as proven optimal.
 */
export const SHORTFALL = 1e-6
/** A pool whose last price is below this part of that at which it trades is drained. */
export const DRAINED = 0.01
/** Times that a flow takes the room it left: without, 59 of 1,480 orders pay less. */
export const MAX_REFILLS = 4

// The bound. The checker has constants of its own, because it shares nothing with the solver.

/**
 * Margin for the rounding of what is summed, slightly above the checker's, which sums in another order. Log prices that
 * are as close can change places by rounding.
 */
export const BOUND_MARGIN = 1.001e-9
/** The same on what is traded: a surplus is a small difference of sums of pieces, which keep twelve digits. */
export const TURNOVER_MARGIN = 1.1e-12
/** A swap of this many wei may cross ticks that the least gas includes. */
export const DUST = 2
/** Halvings of the line between two vectors of prices. */
export const LINE_STEPS = 5
/** Prices of a leg that the bound tries: with one, p95 of the gap at 3 to 12 legs is 358 bp instead of 210. */
export const LEG_PRICES_TRIED = 4
/** Edges closed one after the other: of 354 bounds 32 are higher with 1, by up to 290 bp, one lower with 64. */
export const MAX_CLOSED = 16
