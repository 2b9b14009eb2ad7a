/**
 * Refuses orders and options that a caller got wrong, with coded errors. The types
 * forbid much of it, but JavaScript has no types, and no type knows lower case or a least gas.
 */
import { badOption, checkNames, wrong } from './checkNames.js'
import { BaseError } from './errors.js'
import { type Fee, feeShape } from './fee.js'
import type { ExactOutOrder, Order } from './order.js'
import { address } from './pools/poolFields.js'
import { ROUTER_GAS } from './replay.js'
import { faultOf } from './shape/check.js'
import { choice, type Node } from './shape/shape.js'
import type { Block } from './snapshot.js'
import { BadSnapshotError } from './snapshotFile.js'
import type { Options } from './solver/terms.js'
import { GAS_SHARE_OF_BLOCK } from './solver/tuning.js'

/**
 * Throws a {@link BadOrderError} unless both tokens are addresses in lower case, two different ones, and
 * the amount is a bigint that is not negative.
 */
export function checkOrder(order: Order | ExactOutOrder, name = 'amountIn'): void {
  if (typeof order !== 'object' || order === null)
    throw wrong(BadOrderError, 'the order', order, 'an object')
  for (const name of ['tokenIn', 'tokenOut'] as const) {
    const fault = faultOf(address, order[name])
    if (fault) throw wrong(BadOrderError, name, order[name], fault.wanted)
  }
  if (order.tokenIn === order.tokenOut) {
    throw wrong(BadOrderError, 'tokenOut', order.tokenOut, 'another token than tokenIn')
  }
  const amount: unknown = order[name as keyof typeof order]
  if (typeof amount !== 'bigint' || amount < 0n) {
    throw wrong(BadOrderError, name, amount, 'wei as a bigint, not negative')
  }
}

const OPTIONS: Readonly<Record<keyof Options | 'fee', true>> = {
  ...{ objective: true, gasPrice: true, maxGas: true, maxHops: true, maxLegs: true, fee: true },
  ...{ certificate: true, excludedPools: true, onlyIntermediates: true, start: true },
  shouldStop: true,
}
const objective = choice('net', 'gross')
const certificate = choice('fast', 'paths')

/**
 * Throws a {@link BadOptionsError} for an option of another form, or for less gas than the router needs
 * without any hop, and a {@link BadSnapshotError} for a block whose gas is not known.
 */
export function checkOptions(options: Options & { readonly fee?: Fee }, block: Block): void {
  checkNames('options', options, OPTIONS)
  const { maxHops, maxLegs, gasPrice } = options
  checkBlock(block, options)
  refuseOther('objective', options.objective, objective)
  refuseOther('certificate', options.certificate, certificate)
  refuseOther('fee', options.fee, feeShape)
  for (const [name, value] of Object.entries({ maxHops, maxLegs })) {
    const isCount = value === undefined || value === Number.POSITIVE_INFINITY
    if (!isCount && !(Number.isInteger(value) && value > 0)) {
      throw badOption(name, value, 'a whole number above 0')
    }
  }
  if (gasPrice !== undefined && !isAmount(gasPrice)) {
    throw badOption('gasPrice', gasPrice, 'wei per gas as a bigint, not negative')
  }
  checkIds(options)
  checkStart(options)
  const shouldStop: unknown = options.shouldStop
  if (shouldStop !== undefined && typeof shouldStop !== 'function') {
    throw badOption('shouldStop', shouldStop, 'a function')
  }
  const maxGas = options.maxGas ?? Number(block.gasLimit) * GAS_SHARE_OF_BLOCK
  if (!(typeof maxGas === 'number' && maxGas >= ROUTER_GAS)) {
    const wanted = `at least ${ROUTER_GAS}, that of no hops`
    throw badOption('maxGas', maxGas, wanted)
  }
}

/** An id in another case would match nothing, without a word. */
function checkIds({ excludedPools, onlyIntermediates }: Options): void {
  for (const [name, ids] of Object.entries({ excludedPools, onlyIntermediates })) {
    if (ids === undefined) continue
    const wanted = 'a Set in lower case'
    if (!(ids instanceof Set)) throw badOption(name, ids, wanted)
    for (const id of ids as Set<unknown>) {
      const isId = typeof id === 'string' && id.startsWith('0x') && id === id.toLowerCase()
      if (!isId) throw badOption(name, id, wanted)
    }
  }
}

/** A price that is no number would become the answer's prices. */
function checkStart({ start }: Options): void {
  if (start === undefined) return
  const wanted = 'ln of each worth, by address'
  if (typeof start !== 'object' || start === null) throw badOption('start', start, wanted)
  for (const price of Object.values(start) as unknown[]) {
    if (typeof price !== 'number' || Number.isNaN(price)) throw badOption('start', price, wanted)
  }
}

/** A snapshot made by hand may lack what its type requires. */
function checkBlock({ gasLimit, gasPrice }: Block, options: Options): void {
  const isLimited = isAmount(gasLimit) && gasLimit > 0n
  if (!isLimited) throw wrong(BadSnapshotError, 'block.gasLimit', gasLimit, 'a bigint above 0')
  if (options.gasPrice === undefined && !isAmount(gasPrice)) {
    throw wrong(
      BadSnapshotError,
      'block.gasPrice',
      gasPrice,
      'wei per gas as a bigint, not negative',
    )
  }
}

function isAmount(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= 0n
}

function refuseOther(name: string, value: unknown, shape: Node): void {
  const fault = value === undefined ? undefined : faultOf(shape, value)
  if (fault) throw badOption(fault.field ? `${name}.${fault.field}` : name, value, fault.wanted)
}

/** The order is not one; details name the field. */
export class BadOrderError extends BaseError {
  readonly code = 'BAD_ORDER'
}
