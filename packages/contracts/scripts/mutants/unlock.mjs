// Hops that unlock a vault.

const UNLOCK = 'src/libraries/Unlock.sol'
const BALANCER = 'src/swaps/BalancerV3.sol'

export const MUTANTS = [
  [UNLOCK, 'if (_expected != 0) revert CallbackMissing(holder);', ''],
  [UNLOCK, 'revert CallbackRefused(msg.sender);', ''],
  [UNLOCK, 'msg.sig, bytes20(msg.sender), data', 'msg.sig, bytes20(0), data'],
  [UNLOCK, '        _expected = 0;', ''],
  [BALANCER, 'params.amountGivenRaw = amountIn;', 'params.amountGivenRaw = amountIn - 1;'],
  [BALANCER, 'Tokens.transfer(tokenIn, msg.sender, amountIn);', ''],
  [BALANCER, 'settle(tokenIn, amountIn);', 'settle(tokenIn, amountIn - 1);'],
  [BALANCER, 'sendTo(tokenOut, address(this), amountOut);', 'sendTo(tokenOut, pool, amountOut);'],
  [BALANCER, '        _enter(msg.data);', ''],
]
