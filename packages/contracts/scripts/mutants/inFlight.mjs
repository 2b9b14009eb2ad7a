// What may happen while a hop is in flight, and fields and amounts at the ends of their ranges.

const EXECUTOR = 'src/Executor.sol'
const HOPS = 'src/libraries/Hops.sol'
const TOKENS = 'src/libraries/Tokens.sol'
const BALANCER = 'src/swaps/BalancerV3.sol'
const BUFFER = 'src/swaps/BalancerBuffer.sol'
const ERC4626 = 'src/swaps/Erc4626.sol'
const V3 = 'src/swaps/UniswapV3.sol'
const V4 = 'src/swaps/UniswapV4.sol'

const CLEARED = `        // Cleared before the transfer, so a token that calls back cannot cause a second payment.
        _payee = 0;
        uint256 amountIn = _amountIn;
        int256 owed = zeroForOne ? amount0Delta : amount1Delta;
        if (owed != int256(amountIn)) revert InputNotTaken(msg.sender, amountIn, owed);
        Tokens.transfer(address(uint160(_tokenIn)), msg.sender, amountIn);
`
const V4_BODY = `        _enter(data);
        (PoolKey memory key, bool zeroForOne, uint256 amountIn) = abi.decode(data, (PoolKey, bool, uint256));
        uint256 amountOut = _sell(key, zeroForOne, amountIn);
        _pay(zeroForOne ? key.currency0 : key.currency1, amountIn);
        _take(zeroForOne ? key.currency1 : key.currency0, amountOut);
        return "";
    }
`
const BALANCER_BODY = `        _enter(msg.data);
        VaultSwapParams memory params;
        params.pool = pool;
        params.tokenIn = tokenIn;
        params.tokenOut = tokenOut;
        params.amountGivenRaw = amountIn;
        (,, uint256 amountOut) = IBalancerV3Vault(msg.sender).swap(params);
        _settle(tokenIn, amountIn, tokenOut, amountOut);
    }
`
const BUFFER_BODY = `        _enter(msg.data);
        BufferWrapOrUnwrapParams memory params;
        params.direction = isWrap ? 0 : 1;
        params.wrappedToken = isWrap ? tokenOut : tokenIn;
        params.amountGivenRaw = amountIn;
        (,, uint256 amountOut) = IBalancerV3Buffers(msg.sender).erc4626BufferWrapOrUnwrap(params);
        _settle(tokenIn, amountIn, tokenOut, amountOut);
    }
`

/** A callback that its caller may enter again with the same bytes until its end, and not after. */
function openInside(file, body) {
  const opened = body
    .replace('_enter(', 'if (_open != uint256(keccak256(msg.data))) _enter(')
    .replace(';\n', ';\n        _open = uint256(keccak256(msg.data));\n')
  const end = opened.includes('return "";') ? '        return "";\n    }\n' : '    }\n'
  const closed = opened.slice(0, -end.length)
  return [file, body, `${closed}        _open = 0;\n${end}\n    uint256 private transient _open;\n`]
}

/** A V3 callback that takes any caller while a pool is being called. */
const anyCaller = (name) => [
  V3,
  `function ${name}(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {`,
  `function ${name}(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {
        if (_payee != 0) _payee = _payeeOf(msg.sender, amount0Delta > 0);`,
]

export const MUTANTS = [
  // A guard after the call that it guards.
  [V3, CLEARED, `${CLEARED.replace('        _payee = 0;\n', '')}        _payee = 0;\n`],
  // Who may call back in flight.
  ...['uniswapV3', 'hyperswapV3', 'pancakeV3'].map((name) => anyCaller(`${name}SwapCallback`)),
  anyCaller('algebraSwapCallback'),
  // Entered again inside the callback.
  openInside(V4, V4_BODY),
  openInside(BALANCER, BALANCER_BODY),
  openInside(BUFFER, BUFFER_BODY),
  // Ignored results.
  [
    TOKENS,
    'if (!_isAccepted(token, abi.encodeCall(IERC20.approve, (spender, amount))))',
    'if (!_isAccepted(token, abi.encodeCall(IERC20.approve, (spender, amount))) && amount != 0)',
  ],
  [
    TOKENS,
    'if (!_isAccepted(token, abi.encodeCall(IERC20.approve, (spender, amount))))',
    'if (!_isAccepted(token, abi.encodeCall(IERC20.approve, (spender, amount))) && amount == 0)',
  ],
  [EXECUTOR, '        if (amount == 0) return;\n', ''],
  // Widths of fields.
  [V4, 'int24(uint24(rest >> 160))', 'int24(uint24(uint8(rest >> 160)))'],
  [V4, 'int24(uint24(rest >> 160))', 'int24(int16(uint16(rest >> 160)))'],
  [V4, 'uint24(hop.feePpm())', 'uint16(hop.feePpm())'],
  [HOPS, '(Hop.unwrap(hop) >> 28) & 0xF', '(Hop.unwrap(hop) >> 28) & 0x7'],
  [HOPS, '(Hop.unwrap(hop) >> 24) & 0xF;\n', '(Hop.unwrap(hop) >> 24) & 0x7;\n'],
  // Who is paid on the way.
  [ERC4626, 'deposit(amountIn, to)', 'deposit(amountIn, address(this))'],
  [
    ERC4626,
    'redeem(amountIn, to, address(this))',
    'redeem(amountIn, address(this), address(this))',
  ],
  [BALANCER, 'settle(tokenIn, amountIn);', 'settle(tokenOut, amountIn);'],
  // Ends of ranges.
  [V4, 'MIN_SQRT_PRICE + 1', 'MIN_SQRT_PRICE * 2'],
  [V4, 'MAX_SQRT_PRICE - 1', 'MAX_SQRT_PRICE / 2'],
]
