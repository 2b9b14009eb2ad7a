import {
  choice,
  type Fault,
  integer,
  list,
  number,
  pair,
  record,
  type Shape,
  uint,
} from '../../shape/shape.js'
import {
  faultOfOrder,
  faultOfTokens,
  firstFault,
  poolFields,
  seconds,
  twoTokens,
} from '../poolFields.js'
import type { Bin, LiquidityBookPool, StaticFeeParameters, VariableFeeParameters } from './pool.js'

/** Bins have ids of 24 bits; the pair's search returns the lowest and the highest for none. */
const MAX_ID = (1 << 24) - 1

const bin = record<Bin>({ id: number(1, MAX_ID - 1), reserves: pair(uint(128)) })

/** The widest of each setting, as the pair packs them. */
const staticFee = record<StaticFeeParameters>({
  baseFactor: uint(16),
  filterPeriod: uint(12),
  decayPeriod: uint(12),
  reductionFactor: integer(0n, 10_000n),
  variableFeeControl: uint(24),
  protocolShare: integer(0n, 2_500n),
  maxVolatilityAccumulator: uint(20),
})

const variableFee = record<VariableFeeParameters>({
  volatilityAccumulator: uint(20),
  volatilityReference: uint(20),
  idReference: number(0, MAX_ID),
  timeOfLastUpdate: uint(40),
})

/** The states that a pool of this family can have. */
export const shape: Shape<LiquidityBookPool> = record<LiquidityBookPool>(
  {
    ...poolFields,
    family: choice('liquidityBook'),
    tokens: twoTokens,
    binStep: number(1, 65_535),
    activeId: number(0, MAX_ID),
    bins: list(bin),
    staticFee,
    variableFee,
    quotedAt: seconds,
  },
  (pool) => firstFault(faultOfTokens(pool), faultOfBins(pool), faultOfUpdate(pool)),
)

/**
 * Bins ascend, none is listed that is empty, and those below the active one have only token Y, those
 * above it only token X: the price has passed the others and left nothing of them.
 */
function faultOfBins({ bins, activeId }: LiquidityBookPool): Fault | undefined {
  const at = bins.findIndex(({ reserves: [x, y] }) => x === 0n && y === 0n)
  if (at !== -1) return { field: `bins[${at}].reserves`, got: '0 and 0', wanted: 'a reserve' }
  const passed = bins.findIndex(
    ({ id, reserves: [x, y] }) => (id < activeId && x > 0n) || (id > activeId && y > 0n),
  )
  if (passed !== -1) {
    const { id, reserves } = bins[passed]!
    const side = id < activeId ? 0 : 1
    const wanted = `0, because bin ${id} is ${side === 0 ? 'below' : 'above'} bin ${activeId}`
    return { field: `bins[${passed}].reserves[${side}]`, got: `${reserves[side]}`, wanted }
  }
  const ids = bins.map(({ id }) => id)
  return faultOfOrder(['bins', 'id'], ids)
}

function faultOfUpdate({ quotedAt, variableFee: memory }: LiquidityBookPool): Fault | undefined {
  if (memory.timeOfLastUpdate <= quotedAt) return undefined
  const [field, got] = ['variableFee.timeOfLastUpdate', `${memory.timeOfLastUpdate}`]
  return { field, got, wanted: `at most ${quotedAt}, the time of the quote` }
}
