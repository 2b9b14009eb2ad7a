// The least rate of a hop.

const EXECUTOR = 'src/Executor.sol'
const HOPS = 'src/libraries/Hops.sol'
const LEAST_RATE = 'src/libraries/LeastRate.sol'

export const MUTANTS = [
  [EXECUTOR, 'if (amountOut < least) revert', 'if (amountOut <= least) revert'],
  [EXECUTOR, 'LeastRate.leastOut(leastRate, amountIn)', 'LeastRate.leastOut(leastRate, amountOut)'],
  [EXECUTOR, ' && leastRate == 0) {', ') {'],
  [HOPS, 'if (rated) size += LEAST_RATE;', ''],
  [HOPS, 'family == PAY && !rated', 'family == PAY'],
  [HOPS, ' - (isRated(hop) ? LEAST_RATE : 0)', ''],
  [HOPS, '(Hop.unwrap(hop) >> 192) & 0x7F', '(Hop.unwrap(hop) >> 192) & 0xFF'],
  [
    HOPS,
    'uint64(bytes8(program[end - LEAST_RATE:]))',
    'uint56(bytes7(program[end - LEAST_RATE:]))',
  ],
  [LEAST_RATE, 'rate >> 8', 'uint32(rate >> 8)'],
  [LEAST_RATE, 'int8(uint8(rate))', 'int256(uint256(uint8(rate)))'],
  [LEAST_RATE, 'exponent < 0 ?', 'exponent < -1 ?'],
]
