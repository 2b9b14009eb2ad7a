// Swaps that hold no vault open, of the families after the first ones.

const EXECUTOR = 'src/Executor.sol'
const HOPS = 'src/libraries/Hops.sol'
const LADDER = 'src/swaps/Ladder.sol'
const STEX = 'src/swaps/Stex.sol'
const CURVE = 'src/swaps/CurveStableSwap.sol'
const CRYPTO = 'src/swaps/CurveCrypto.sol'
const BALANCER_V2 = 'src/swaps/BalancerV2.sol'
const INSTANT_UNSTAKE = 'src/swaps/InstantUnstake.sol'
const BINS = 'src/swaps/LiquidityBook.sol'

export const MUTANTS = [
  [LADDER, '.swap(tokenIn, tokenOut, amountIn, 1)', '.swap(tokenIn, tokenOut, amountIn - 1, 1)'],
  [STEX, 'params.isZeroToOne = zeroForOne;', 'params.isZeroToOne = !zeroForOne;'],
  [STEX, 'params.amountIn = amountIn;', 'params.amountIn = amountIn - 1;'],
  [STEX, 'params.deadline = block.timestamp;', 'params.deadline = type(uint256).max;'],
  [STEX, 'params.recipient = address(this);', 'params.recipient = pool;'],
  [CURVE, 'int128(uint128(i)), int128(uint128(j))', 'int128(uint128(j)), int128(uint128(i))'],
  [CURVE, 'amountIn, 0);\n        Approval', 'amountIn - 1, 0);\n        Approval'],
  [CRYPTO, 'exchange(i, j,', 'exchange(j, i,'],
  [CRYPTO, 'amountIn, 0);\n        Approval', 'amountIn - 1, 0);\n        Approval'],
  [CRYPTO, 'amountIn, 0);\n        Approval', 'amountIn, amountIn);\n        Approval'],
  [CRYPTO, 'give(tokenIn, pool, amountIn)', 'give(tokenIn, pool, type(uint256).max)'],
  [CRYPTO, 'Approval.end(tokenIn, pool, amountIn, balance);', ''],
  [HOPS, ' || family == CURVE_CRYPTO;', ';'],
  [HOPS, 'family == 0 || family > LAST', 'family > LAST'],
  [EXECUTOR, 'opcode == Hops.CURVE_CRYPTO', 'opcode == Hops.CURVE_STABLE_SWAP'],
  [HOPS, 'if (flag > (family == UNISWAP_V4 ? 3 : 1) && !namesCoins)', 'if (flag > 0x77)'],
  [BALANCER_V2, 'single.amount = amountIn;', 'single.amount = amountIn - 1;'],
  [BALANCER_V2, 'single.assetIn = tokenIn;', 'single.assetIn = tokenOut;'],
  [BALANCER_V2, 'funds.recipient = to;', 'funds.recipient = pool;'],
  [BALANCER_V2, 'funds.recipient = to;', 'funds.recipient = address(this);'],
  [BALANCER_V2, 'Approval.end(tokenIn, vault, amountIn, balance);', ''],
  [BALANCER_V2, 'give(tokenIn, vault, amountIn)', 'give(tokenIn, pool, amountIn)'],
  [HOPS, '|| opcode(earlier) == BALANCER_V2)', ')'],
  [BINS, '.swap(swapForY, to)', '.swap(!swapForY, to)'],
  [BINS, '.swap(swapForY, to)', '.swap(swapForY, address(this))'],
  [
    HOPS,
    'return namesAmountOut(hop) || opcode(hop) == LIQUIDITY_BOOK;',
    'return namesAmountOut(hop);',
  ],
  [HOPS, '<= ERC4626 || opcode(earlier) == LIQUIDITY_BOOK ||', '<= ERC4626 ||'],
  [INSTANT_UNSTAKE, '        _requireWrapped(tokenOut);\n', ''],
  [INSTANT_UNSTAKE, '        _payer = 0;', ''],
  [INSTANT_UNSTAKE, 'instantUnstake(amountIn, 1)', 'instantUnstake(amountIn - 1, 1)'],
  [INSTANT_UNSTAKE, 'instantUnstake(amountIn, 1)', 'instantUnstake(amountIn, 0)'],
  [INSTANT_UNSTAKE, 'Approval.end(tokenIn, manager, amountIn, balance);', ''],
  [
    INSTANT_UNSTAKE,
    'give(tokenIn, manager, amountIn)',
    'give(tokenIn, manager, type(uint256).max)',
  ],
  [INSTANT_UNSTAKE, '_wrapArrived(native);', '_wrapArrived(0);'],
  [EXECUTOR, 'hop.namesAmountOut() &&', 'hop.isPaidBefore() &&'],
]
