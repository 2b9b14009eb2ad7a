// The executor and the payee that the caller names.

const ROUTER = 'src/Router.sol'
const EXECUTOR = 'src/Executor.sol'
const HOPS = 'src/libraries/Hops.sol'

export const MUTANTS = [
  [ROUTER, 'if (executor == address(this)) revert ExecutorRefused(executor);', ''],
  [ROUTER, 'Tokens.requireCode(executor);', ''],
  [ROUTER, 'if (order.payee == address(this)) revert PayeeRefused(order.payee);', ''],
  [ROUTER, 'paid = _increase(wrappedNative, address(this), balance);', ''],
  [ROUTER, 'native ? Tokens.balanceOf(wrappedNative, address(this)) : 0;', '0;'],
  [
    EXECUTOR,
    'if (paid && !Hops.sellsAllAt(program, offset, payee)) revert NotFirstPool(payee);',
    '',
  ],
  [HOPS, 'takesAllBefore(first) && tokenIn(first) == 0 && pool', 'tokenIn(first) == 0 && pool'],
  [HOPS, ' && tokenIn(first) == 0', ''],
  [HOPS, ' && pool(first) == payee', ''],
]
