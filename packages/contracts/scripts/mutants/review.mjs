// Changes that no test noticed when the contracts were reviewed; verdicts.tsv names the test of each.

const ROUTER = 'src/Router.sol'
const EXECUTOR = 'src/Executor.sol'
const HOPS = 'src/libraries/Hops.sol'
const V2 = 'src/swaps/UniswapV2.sol'
const V3 = 'src/swaps/UniswapV3.sol'
const ERC4626 = 'src/swaps/Erc4626.sol'
const APPROVAL = 'src/libraries/Approval.sol'
const SOLIDLY = 'src/swaps/Solidly.sol'
const UNLOCK = 'src/libraries/Unlock.sol'
const V4 = 'src/swaps/UniswapV4.sol'

export const MUTANTS = [
  // One wei may stay in the executor.
  [EXECUTOR, 'i != 1 && held[i] != 0', 'i != 1 && held[i] > 1'],
  // The native token may come along with the wrapped one, and stays in the router.
  [
    ROUTER,
    'order.tokenIn == NATIVE ? order.amountIn : 0',
    'order.tokenIn == NATIVE || (order.tokenIn == wrappedNative && msg.value != 0) ? order.amountIn : 0',
  ],
  // The second attempt pays the executor, even if the next pair should be paid.
  [
    SOLIDLY,
    '_outputs(amountOut, zeroForOne);\n            ISolidlyPair(pool).swap(out0, out1, to, "");',
    '_outputs(amountOut, zeroForOne);\n            ISolidlyPair(pool).swap(out0, out1, address(this), "");',
  ],
  // Only the first hop's tokens are compared with the table.
  [HOPS, 'tokenIn(hop) >= count', 'offset == 20 * count - 39 && tokenIn(hop) >= count'],
  [HOPS, 'tokenOut(hop) >= count', 'offset == 20 * count - 39 && tokenOut(hop) >= count'],
  // Fees in steps of 100 ppm.
  [V2, 'amountIn * (ONE - feePpm)', 'amountIn * (ONE - feePpm / 100 * 100)'],
  // A table of at most 127 tokens.
  [HOPS, 'own = uint8(program[0])', 'own = uint8(program[0]) & 0x7f'],
  // Price limits that a swap can reach.
  [V3, 'MIN_SQRT_PRICE + 1', 'MIN_SQRT_PRICE * 2'],
  [V3, 'MAX_SQRT_PRICE - 1', 'MAX_SQRT_PRICE / 2'],
  // One wei beside what is passed on.
  [EXECUTOR, 'held[hop.tokenOut()] == 0;', 'held[hop.tokenOut()] <= 1;'],
  [HOPS, 'pool(hop) != pool(earlier)', '(pool(hop) != pool(earlier) || opcode(hop) == SOLIDLY)'],
  // A lookup in a table of at most 127 tokens.
  [EXECUTOR, 'tokenAt(program, index - 2)', 'tokenAt(program, (index - 2) & 0x7f)'],
  [
    EXECUTOR,
    'to == address(this) || to == router',
    'uint160(to) == 0 || to == address(this) || to == router',
  ],
  // A pool that gives of its input has no typed reason.
  [APPROVAL, 'afterSwap < balance ? balance - afterSwap : 0', 'balance - afterSwap'],
  [ERC4626, 'afterSwap < beforeSwap ? beforeSwap - afterSwap : 0', 'beforeSwap - afterSwap'],
  // The event tells what the executor paid, and not what arrived.
  [ROUTER, 'order.amountIn, amountOut);', 'order.amountIn, paid);'],
  // What a hop remembers outlives the transaction, in storage.
  [UNLOCK, 'uint256 private transient _expected', 'uint256 private _expected'],
  [V4, 'uint256 private transient _rest', 'uint256 private _rest'],
  // Families whose calls name no receiver are to pay the next pair.
  [HOPS, 'opcode(earlier) <= ERC4626', 'opcode(earlier) <= STEX'],
  [HOPS, 'opcode(earlier) == BALANCER_V2)', 'opcode(earlier) >= CURVE_CRYPTO)'],
]
