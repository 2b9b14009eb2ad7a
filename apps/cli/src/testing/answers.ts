// Schemas of what the commands print with `--json`, the form that programs may rely on. Objects are strict, so that a new field is a decision, and docs/cli.schema.json
// follows. The tests read every answer of every command with these schemas.
//
// Integers of the chain (amounts in wei, gas, blocks, times) are decimal strings. Counts, figures and rates
// are numbers.

import { z } from 'zod'

const integer = z.string().regex(/^(0|[1-9][0-9]*)$/)
const count = z.int().nonnegative()
const address = z.string().regex(/^0x[0-9a-f]{40}$/)
const hex = z.string().regex(/^0x([0-9a-fA-F]{2})*$/)
const bps = z.number()

const pair = { tokenIn: address, tokenOut: address }
const order = { ...pair, amountIn: integer }
const block = z.strictObject({
  ...{ number: integer, hash: hex, timestamp: integer, gasPrice: integer, gasLimit: integer },
})

const hop = z.strictObject({
  ...{ ...order, amountOut: integer, share: count.optional() },
  ...{ pool: hex, venue: z.string(), family: z.string(), feePpm: count.optional() },
  sampled: z.literal(true).optional().describe('the output is a lower bound'),
})

const findings = z.array(
  z.strictObject({
    ...{ code: z.string(), reason: z.string() },
    level: z.enum(['warn', 'ask', 'refuse']).optional(),
    measure: z.number().nullable().optional(),
    limit: z.number().optional(),
  }),
)
const decimals = { decimalsIn: count.optional(), decimalsOut: count.optional() }

const quote = z.strictObject({
  ...{ ...order, amountOut: integer, hops: z.array(hop) },
  gas: integer.optional(),
  block: integer.optional(),
  gapBps: bps.nullable().optional().describe('at most so far below the best route'),
  priceImpactBps: bps.optional(),
  usdIn: z.number().optional(),
  usdOut: z.number().optional(),
  minAmountOut: integer.optional(),
  ...{ findings: findings.optional(), ...decimals },
})

const quoted = {
  ...{ amountOut: integer, priceImpactBps: bps.nullable(), gas: integer, hops: count },
}
const unquoted = { error: z.string().describe('an error code') }

const curve = z.strictObject({
  ...pair,
  block: integer.optional(),
  points: z.array(
    z.union([
      z.strictObject({ amountIn: integer, ...quoted }),
      z.strictObject({ amountIn: integer, ...unquoted }),
    ]),
  ),
})

const moment = { file: z.string(), block: integer, timestamp: integer }
const series = z.strictObject({
  order: z.strictObject(order),
  points: z.array(
    z.union([z.strictObject({ ...moment, ...quoted }), z.strictObject({ ...moment, ...unquoted })]),
  ),
})

const simulate = z.strictObject({
  ...{ orders: count, failed: count, gas: integer },
  totals: z.array(z.strictObject({ ...order, orders: count, amountOut: integer })),
  results: z.array(
    z.union([z.strictObject({ ...order, ...quoted }), z.strictObject({ ...order, ...unquoted })]),
  ),
})

const compare = z.strictObject({
  ...{ order: z.strictObject(order), amountOut: integer },
  pools: z.array(
    z.strictObject({
      ...{ pool: hex, family: z.string(), venue: z.string().optional(), amountOut: integer },
    }),
  ),
})

const ranking = z.strictObject({
  ...{ order: z.strictObject(order), block: integer },
  ...{ by: z.enum(['pool', 'venue', 'token']), amountOut: integer },
  parts: z.array(z.strictObject({ part: z.string(), amountOut: integer })),
})

const fee = z.strictObject({ of: z.enum(['tokenIn', 'tokenOut']), ppm: count, recipient: address })
const intent = {
  call: z.strictObject({
    ...{ ...order, minAmountOut: integer, receiver: address, deadline: integer },
    ...{ executor: address, program: hex },
    payment: z
      .union([
        z.strictObject({ by: z.literal('permit'), signature: hex }),
        z.strictObject({ by: z.literal('permit2'), nonce: integer, signature: hex }),
      ])
      .optional(),
  }),
  hops: z.array(
    z.strictObject({
      ...{ ...pair, share: count, families: z.array(z.string()), pool: address, swap: hex },
      leastRate: hex.optional(),
    }),
  ),
  fee: fee.optional(),
  faults: z.array(z.string()),
}

const swap = z.strictObject({
  amountOut: integer,
  leastAmountIn: integer.optional(),
  tx: z.strictObject({
    ...{ from: address, to: address, data: hex, value: integer, gas: integer, gasPrice: integer },
  }),
  fees: z.strictObject({ maxFeePerGas: integer, maxPriorityFeePerGas: integer }).optional(),
  ...{ findings, ...decimals },
  intent: z.strictObject(intent),
})

const sent = z.strictObject({
  ...{ quoted: integer, hash: hex, block: integer, gasUsed: integer, amountOut: integer },
})

const checks = z.array(
  z.strictObject({ name: z.string(), got: z.string(), wanted: z.string(), isOk: z.boolean() }),
)
const check = z.strictObject({
  ...{ verdict: z.string(), isProved: z.boolean().nullable(), isTied: z.boolean().nullable() },
  amountOut: integer,
  // Net of gas, it may be below nothing.
  bound: z.string().regex(/^-?(0|[1-9][0-9]*)$/),
  ...{ uncovered: z.array(z.string()), checks },
})

const verify = z.strictObject({
  ...intent,
  payee: address,
  checks,
  walked: z
    .union([z.strictObject({ amountOut: integer }), z.strictObject({ why: z.string() })])
    .optional(),
})

const depth = { pools: count, depth: integer }
const snapshotInfo = z.strictObject({
  ...{ file: z.string(), chainId: count, block, pools: count, offMarket: count, sampled: count },
  families: z.record(z.string(), count),
  venues: z.array(z.strictObject({ venue: z.string(), families: z.array(z.string()), ...depth })),
  tokens: z.array(z.strictObject({ token: address, ...depth })),
})

const doctor = z.strictObject({
  findings: z.array(
    z.strictObject({
      ...{ subject: z.string(), check: z.string(), found: z.string(), assumed: z.string() },
      holds: z.boolean().optional(),
    }),
  ),
  unserved: z.array(
    z.strictObject({ id: z.string(), contract: address.optional(), why: z.string() }),
  ),
})

const missed = { pool: hex, venue: z.string().optional(), code: z.string().optional() }
const answer = z.union([
  z.strictObject({ amountOut: integer, gas: count, gapBps: bps }),
  z.strictObject({ error: z.string() }),
])
const verdict = z.enum(['won', 'lost', 'equal', 'missed', 'sandwiched', 'unsolved'])
const hindsight = z.strictObject({
  ...{ from: integer, to: integer, counts: z.record(verdict, count), unread: count },
  seenPercent: z.number().nullable(),
  missedPools: z.array(z.strictObject({ ...missed, swaps: count })),
  swaps: z.array(
    z.strictObject({
      ...{ transaction: hex, block: integer, index: count, sender: address },
      ...{ router: address.optional(), name: z.string().optional() },
      ...{ ...order, received: integer, gasUsed: integer, pools: z.array(hex), verdict },
      missed: z.array(z.strictObject(missed)).optional(),
      ...{ sandwichedBy: address.optional(), before: answer, atPlace: answer },
    }),
  ),
})

const transaction = z.strictObject({ to: z.string(), data: z.string(), value: integer })
const approve = z.strictObject({
  ...{ token: z.string(), spender: z.string(), amount: integer, tx: transaction },
  revoke: transaction.optional(),
})

/** The form of the error that a command prints to stderr with `--json`. */
export const errorAnswer = z.strictObject({
  error: z.strictObject({
    ...{ code: z.string(), message: z.string() },
    details: z.record(z.string(), z.unknown()),
  }),
})

/** The form of the answer of each command that has `--json`, by its name. */
export const answers: Readonly<Record<string, z.ZodType>> = {
  ...{ quote, explain: quote, curve },
  ...{ compare: z.union([compare, ranking]), simulate: z.union([simulate, series]) },
  ...{ swap: z.union([swap, sent]), verify, check, approve },
  ...{ 'snapshot info': snapshotInfo, doctor, hindsight },
}
