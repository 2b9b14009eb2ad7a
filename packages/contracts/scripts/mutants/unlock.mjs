// Hops that unlock a vault.

const UNLOCK = 'src/libraries/Unlock.sol'
const BALANCER = 'src/swaps/BalancerV3.sol'
const BUFFER = 'src/swaps/BalancerBuffer.sol'
const UNISWAP_V4 = 'src/swaps/UniswapV4.sol'
const NATIVE = 'src/libraries/Native.sol'
const HOPS = 'src/libraries/Hops.sol'
const EXECUTOR = 'src/Executor.sol'

export const MUTANTS = [
  [UNLOCK, 'if (_expected != 0) revert CallbackMissing(holder);', ''],
  [UNLOCK, 'revert CallbackRefused(msg.sender);', ''],
  [UNLOCK, 'msg.sig, bytes20(msg.sender), data', 'msg.sig, bytes20(0), data'],
  [UNLOCK, '        _expected = 0;', ''],
  [BALANCER, 'params.amountGivenRaw = amountIn;', 'params.amountGivenRaw = amountIn - 1;'],
  [BALANCER, 'Tokens.transfer(tokenIn, msg.sender, amountIn);', ''],
  [BALANCER, 'settle(tokenIn, amountIn);', 'settle(tokenIn, amountIn - 1);'],
  [
    BALANCER,
    'sendTo(tokenOut, address(this), amountOut);',
    'sendTo(tokenOut, msg.sender, amountOut);',
  ],
  [BALANCER, '        _enter(msg.data);', ''],
  [BUFFER, '        _enter(msg.data);', ''],
  [BUFFER, 'params.amountGivenRaw = amountIn;', 'params.amountGivenRaw = amountIn - 1;'],
  [BUFFER, 'params.direction = isWrap ? 0 : 1;', 'params.direction = isWrap ? 1 : 0;'],
  [BUFFER, 'isWrap ? tokenOut : tokenIn;', 'isWrap ? tokenIn : tokenOut;'],
  [
    BUFFER,
    '_settle(tokenIn, amountIn, tokenOut, amountOut);',
    '_settle(tokenIn, amountIn - 1, tokenOut, amountOut);',
  ],
  [
    BUFFER,
    '_settle(tokenIn, amountIn, tokenOut, amountOut);',
    '_settle(tokenIn, amountIn, tokenOut, amountOut - 1);',
  ],
  [
    NATIVE,
    'if (uint160(msg.sender) != payer && payer != ANYONE) revert NativeRefused(msg.sender);',
    '',
  ],
  [NATIVE, 'uint160(msg.sender) != payer && ', ''],
  [NATIVE, ' && payer != ANYONE', ''],
  [NATIVE, 'if (msg.sender == _wrappedNative) return;', ''],
  [UNISWAP_V4, '        _payer = 0;', ''],
  [UNISWAP_V4, 'if (amountIn > uint256(type(int256).max)) revert AmountTooLarge(amountIn);', ''],
  [UNISWAP_V4, '            _requireWrapped(key.currency0);\n', ''],
  [UNISWAP_V4, 'zeroForOne ? (tokenIn, tokenOut)', '!zeroForOne ? (tokenIn, tokenOut)'],
  [UNISWAP_V4, 'key.fee = uint24(hop.feePpm());', ''],
  [UNISWAP_V4, 'address(uint160(rest))', 'address(0)'],
  [UNISWAP_V4, '        _enter(data);', ''],
  [
    UNISWAP_V4,
    'if (deltaIn != -int256(amountIn)) revert InputNotTaken(msg.sender, amountIn, -deltaIn);',
    '',
  ],
  [UNISWAP_V4, 'if (!zeroForOne) (deltaIn, deltaOut) = (deltaOut, deltaIn);', ''],
  [UNISWAP_V4, 'IPoolManager(msg.sender).sync(currency);', ''],
  [UNISWAP_V4, 'if (currency == address(0)) _wrapArrived(balance);', ''],
  [NATIVE, 'address(this).balance - balance', 'address(this).balance'],
  [HOPS, '? 30 + REST :', '? 30 :'],
  [HOPS, '(family == UNISWAP_V4 ? 3 : 1)', '3'],
  [HOPS, '(family == UNISWAP_V4 ? 3 : 1)', '(family == UNISWAP_V4 ? 7 : 1)'],
  [EXECUTOR, 'hop.restBefore(program, offset)', 'hop.restBefore(program, offset - 1)'],
]
