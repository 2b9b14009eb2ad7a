// Router, executor, the libraries that all hops share, and the swaps of the first families.

const ROUTER = 'src/Router.sol'
const EXECUTOR = 'src/Executor.sol'
const TOKENS = 'src/libraries/Tokens.sol'
const HOPS = 'src/libraries/Hops.sol'
const ERC4626 = 'src/swaps/Erc4626.sol'
const V2 = 'src/swaps/UniswapV2.sol'
const V3 = 'src/swaps/UniswapV3.sol'
const SOLIDLY = 'src/swaps/Solidly.sol'
const APPROVAL = 'src/libraries/Approval.sol'

export const MUTANTS = [
  // Checks of the order.
  [
    ROUTER,
    'if (block.timestamp > order.deadline) revert DeadlinePassed(order.deadline, block.timestamp);',
    '',
  ],
  [ROUTER, 'block.timestamp > order.deadline', 'block.timestamp >= order.deadline'],
  [ROUTER, 'if (order.amountIn == 0) revert AmountInZero();', ''],
  [ROUTER, 'if (order.minAmountOut == 0) revert MinAmountOutZero();', ''],
  [ROUTER, 'if (order.tokenIn == order.tokenOut) revert SameToken(order.tokenIn);', ''],
  [ROUTER, 'order.receiver = receiver = msg.sender', 'receiver = msg.sender'],
  [ROUTER, 'receiver == address(this) || receiver == executor', 'receiver == executor'],
  [ROUTER, 'receiver == address(this) || receiver == executor', 'receiver == address(this)'],
  [ROUTER, 'if (msg.value != value) revert WrongValue(value, msg.value);', ''],
  [ROUTER, 'msg.value != value', 'msg.value < value'],
  [ROUTER, 'msg.value != value', 'msg.value > value'],
  // The payment: payer, amount and payee.
  [
    ROUTER,
    'if (pulled != order.amountIn) revert WrongAmountPulled(token, order.amountIn, pulled);',
    '',
  ],
  [ROUTER, 'pulled != order.amountIn', 'pulled < order.amountIn'],
  [ROUTER, 'pulled != order.amountIn', 'pulled > order.amountIn'],
  [
    ROUTER,
    'Tokens.pullFromSender(order.tokenIn, order.payee, order.amountIn);\n        }',
    'Tokens.pullFromSender(order.tokenIn, order.executor, order.amountIn);\n        }',
  ],
  [
    ROUTER,
    'Tokens.pullFromSender(order.tokenIn, order.payee, order.amountIn);\n        }',
    'Tokens.pullFromSender(order.tokenIn, order.payee, order.amountIn);\n            Tokens.pullFromSender(order.tokenIn, order.receiver, 1);\n        }',
  ],
  [
    ROUTER,
    'Tokens.permitFromSender(order.tokenIn, order.amountIn, order.deadline, signature);',
    '',
  ],
  [
    ROUTER,
    'Tokens.permitFromSender(order.tokenIn, order.amountIn,',
    'Tokens.permitFromSender(order.tokenIn, type(uint256).max,',
  ],
  [
    ROUTER,
    '            msg.sender,\n            signature',
    '            order.receiver,\n            signature',
  ],
  [
    ROUTER,
    'IPermit2.SignatureTransferDetails(order.payee, order.amountIn)',
    'IPermit2.SignatureTransferDetails(order.receiver, order.amountIn)',
  ],
  [
    ROUTER,
    'IPermit2.SignatureTransferDetails(order.payee, order.amountIn)',
    'IPermit2.SignatureTransferDetails(order.payee, order.amountIn - 1)',
  ],
  [ROUTER, 'nonce, order.deadline\n', 'nonce, type(uint256).max\n'],
  [ROUTER, 'nonce, order.deadline\n', '0, order.deadline\n'],
  [
    ROUTER,
    'signature);\n        Tokens.pullFromSender(order.tokenIn, order.payee, order.amountIn);',
    'signature);\n        Tokens.pullFromSender(order.tokenIn, order.executor, order.amountIn);',
  ],
  [
    ROUTER,
    'if (order.payee == executor) balance = Tokens.balanceOf(_wrapped(order.tokenIn), executor);',
    '',
  ],
  // The output.
  [ROUTER, 'if (paid < order.minAmountOut) revert AmountOutTooLow(order.minAmountOut, paid);', ''],
  [ROUTER, 'paid < order.minAmountOut', 'paid + 1 < order.minAmountOut'],
  [ROUTER, 'if (paid > amountOut) paid = amountOut;', ''],
  [ROUTER, 'if (paid > amountOut) paid = amountOut;', 'paid = amountOut;'],
  [ROUTER, 'balance = _balanceOf(order.tokenOut, order.receiver);', 'balance = 0;'],
  [ROUTER, 'amountOut = _increase(order.tokenOut, order.receiver, balance);', 'amountOut = paid;'],
  [
    ROUTER,
    'amountOut = _increase(order.tokenOut, order.receiver, balance);',
    'amountOut = _increase(order.tokenOut, msg.sender, balance);',
  ],
  [ROUTER, 'native ? address(this) : order.receiver', 'native ? address(this) : msg.sender'],
  [
    ROUTER,
    'IWrappedNative(wrappedNative).withdraw(paid);',
    'IWrappedNative(wrappedNative).withdraw(order.minAmountOut);',
  ],
  [
    ROUTER,
    'order.receiver.call{value: paid}("")',
    'order.receiver.call{value: order.minAmountOut}("")',
  ],
  [ROUTER, 'order.receiver.call{value: paid}("")', 'msg.sender.call{value: paid}("")'],
  [ROUTER, 'if (!ok) revert NativeTransferFailed(order.receiver, paid);', 'ok;'],
  [ROUTER, 'current > balance ? current - balance : 0', 'current - balance'],
  [ROUTER, 'emit Swap(msg.sender, order.receiver,', 'emit Swap(order.receiver, msg.sender,'],
  [
    ROUTER,
    'order.tokenIn, order.tokenOut, order.amountIn, amountOut);',
    'order.tokenOut, order.tokenIn, order.amountIn, amountOut);',
  ],
  // Reentrancy, and the receipt of native tokens.
  [ROUTER, 'if (_entered != 0) revert Reentered();', ''],
  [ROUTER, '        _entered = 0;', ''],
  [ROUTER, 'payable\n        nonReentrant', 'payable'],
  [
    ROUTER,
    'bytes calldata signature)\n        external\n        nonReentrant',
    'bytes calldata signature)\n        external',
  ],
  [
    ROUTER,
    'uint256 nonce,\n        bytes calldata signature\n    ) external nonReentrant',
    'uint256 nonce,\n        bytes calldata signature\n    ) external',
  ],
  [ROUTER, 'if (msg.sender != wrappedNative) revert NativeRefused(msg.sender);', ''],
  [ROUTER, 'Tokens.requireCode(wrappedNative_);', ''],
  // The execution of a program.
  [EXECUTOR, 'if (msg.sender != router) revert NotRouter(msg.sender);', ''],
  [EXECUTOR, 'if (tokenIn != tokenOut) revert NoHops();', ''],
  [EXECUTOR, 'held[0] = amountIn;', 'held[0] = Tokens.balanceOf(tokenIn, address(this));'],
  [
    EXECUTOR,
    'Tokens.transfer(tokenOut, recipient, amountOut)',
    'Tokens.transfer(tokenOut, recipient, Tokens.balanceOf(tokenOut, address(this)))',
  ],
  [
    EXECUTOR,
    'Tokens.transfer(tokenOut, recipient, amountOut)',
    'Tokens.transfer(tokenOut, recipient, amountOut - 1)',
  ],
  [EXECUTOR, 'if (i != 1 && held[i] != 0)', 'if (i > 255)'],
  [EXECUTOR, 'if (i != 1 && held[i] != 0)', 'if (i > 1 && held[i] != 0)'],
  [EXECUTOR, 'if (tokenIn == tokenOut) revert HopSameToken(tokenIn);', ''],
  [EXECUTOR, 'amountIn * hop.share() / SHARE_ONE', 'amountIn * hop.share() / (SHARE_ONE + 1)'],
  [
    EXECUTOR,
    'amountIn * hop.share() / SHARE_ONE',
    '(amountIn * hop.share() + SHARE_ONE - 1) / SHARE_ONE',
  ],
  [EXECUTOR, 'if (amountIn == 0) return;', ''],
  [EXECUTOR, 'held[hop.tokenIn()] = 0;', ''],
  [EXECUTOR, 'held[hop.tokenIn()] = amountIn - part;', ''],
  [EXECUTOR, 'Tokens.requireCode(pool);', ''],
  [EXECUTOR, 'if (afterHop <= beforeHop)', 'if (afterHop < beforeHop)'],
  [EXECUTOR, 'amountOut = afterHop - beforeHop;', 'amountOut = afterHop;'],
  [EXECUTOR, 'held[hop.tokenOut()] += amountOut;', 'held[hop.tokenOut()] = amountOut;'],
  // Direct payment of pools, past the executor.
  [EXECUTOR, 'bool paid = payee != address(this);', 'bool paid;'],
  [EXECUTOR, 'offset, held, paid);', 'offset, held, true);'],
  [EXECUTOR, ' && held[hop.tokenOut()] == 0;', ';'],
  [EXECUTOR, '(hop, paid) = (following, passesOn);', '(hop, paid) = (following, false);'],
  [EXECUTOR, 'if (hop.isPaidBefore() && !paid)', 'if (!paid)'],
  [
    EXECUTOR,
    'Tokens.transfer(tokenIn, pool, amountIn)',
    'Tokens.transfer(tokenIn, pool, amountIn + 1)',
  ],
  [EXECUTOR, 'to != address(this) && hop.namesAmountOut()', 'hop.namesAmountOut()'],
  [EXECUTOR, 'to != address(this) && hop.namesAmountOut()', 'to != address(this)'],
  [
    EXECUTOR,
    'uint256 afterHop = Tokens.balanceOf(tokenOut, to);',
    'uint256 afterHop = Tokens.balanceOf(tokenOut, address(this));',
  ],
  [HOPS, ' && tokenIn(hop) == tokenOut(earlier)', ''],
  [HOPS, ' && pool(hop) != pool(earlier)', ''],
  [
    HOPS,
    '\n            && (opcode(earlier) <= ERC4626 || opcode(earlier) == LIQUIDITY_BOOK || opcode(earlier) == BALANCER_V2);',
    ';',
  ],
  [HOPS, 'isPaidBefore(hop) && share(hop) == 0', 'isPaidBefore(hop)'],
  // The decoding of a program.
  [HOPS, 'if (next > program.length)', 'if (next > program.length + 1)'],
  [HOPS, 'next > program.length', 'next >= program.length'],
  [HOPS, 'if (tokenIn(hop) >= count)', 'if (tokenIn(hop) > count)'],
  [HOPS, 'if (tokenOut(hop) >= count)', 'if (tokenOut(hop) > count)'],
  [HOPS, 'revert IExecutor.BadFlag(flag);', ''],
  // The last opcode and the one after it.
  [HOPS, 'family > LAST)', 'family > LAST + 1)'],
  [HOPS, 'family > LAST)', 'family >= LAST)'],
  [
    HOPS,
    'if (family == 0 || family > LAST) revert IExecutor.UnknownOpcode(rated ? family | 0x80 : family);',
    '',
  ],
  [HOPS, 'if (offset > program.length) return Hop.wrap(0);', ''],
  // Calls to tokens.
  [TOKENS, 'if (account.code.length == 0) revert NoCode(account);', ''],
  [TOKENS, 'ok && size >= 32) return amount', 'ok) return amount'],
  [TOKENS, '(IERC20.balanceOf, (account))', '(IERC20.balanceOf, (address(this)))'],
  [
    TOKENS,
    'staticcall(gas(), token, add(data, 32), mload(data), 0, 32)',
    'staticcall(gas(), token, add(data, 32), mload(data), 0, 128)',
  ],
  [
    TOKENS,
    ' call(gas(), token, 0, add(data, 32), mload(data), 0, 32)',
    ' call(gas(), token, 0, add(data, 32), mload(data), 0, 128)',
  ],
  [
    TOKENS,
    'if (!_isAccepted(token, abi.encodeCall(IERC20.transfer, (to, amount))))',
    'if (!_isAccepted(token, abi.encodeCall(IERC20.transfer, (to, amount))) && amount == 0)',
  ],
  [
    TOKENS,
    'if (!_isAccepted(token, abi.encodeCall(IERC20.transferFrom, (msg.sender, to, amount))))',
    'if (!_isAccepted(token, abi.encodeCall(IERC20.transferFrom, (msg.sender, to, amount))) && amount == 0)',
  ],
  [TOKENS, 'if (size == 0) requireCode(token);', ''],
  [TOKENS, 'return ok && (', 'return ('],
  [TOKENS, '(size == 0 || (size >= 32 && word == 1))', '(size >= 32 && word == 1)'],
  [TOKENS, 'size >= 32 && word == 1', 'size >= 32'],
  [TOKENS, 'size >= 32 && word == 1', 'word == 1'],
  [TOKENS, 'if (signature.length != 65) revert BadSignatureLength(signature.length);', ''],
  [
    TOKENS,
    '.permit(msg.sender, address(this), amount, deadline, v, r, s)',
    '.permit(msg.sender, address(this), amount, deadline, v, s, r)',
  ],
  // Calls to pools, and their callbacks.
  [V2, 'if (feePpm >= ONE) revert FeeTooHigh(feePpm);', ''],
  [V2, 'uint256 x = amountIn * (ONE - feePpm);', 'uint256 x = amountIn * ONE;'],
  [V2, 'if (!zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);', ''],
  [V2, 'x * reserveOut / (reserveIn * ONE + x)', 'x * reserveOut / (reserveIn * ONE + x) - 1'],
  [V3, 'if (amountIn > uint256(type(int256).max)) revert AmountTooLarge(amountIn);', ''],
  [V3, 'if (_payee != 0) revert CallbackMissing(pool);', ''],
  [
    V3,
    'if (!zeroForOne && payee != _payeeOf(msg.sender, false)) revert CallbackRefused(msg.sender);',
    '',
  ],
  [V3, '        _payee = 0;', ''],
  [V3, 'if (owed != int256(amountIn)) revert InputNotTaken(msg.sender, amountIn, owed);', ''],
  [V3, 'owed != int256(amountIn)', 'owed > int256(amountIn)'],
  [V3, 'owed != int256(amountIn)', 'owed < int256(amountIn)'],
  [V3, 'zeroForOne ? amount0Delta : amount1Delta', 'zeroForOne ? amount1Delta : amount0Delta'],
  [V3, 'msg.sender, amountIn);\n    }', 'msg.sender, amountIn - 1);\n    }'],
  [SOLIDLY, 'amountOut -= 1;', ''],
  [SOLIDLY, 'amountOut -= 1;', 'amountOut -= 2;'],
  [SOLIDLY, 'getAmountOut(amountIn, tokenIn)', 'getAmountOut(amountIn - 1, tokenIn)'],
  [
    SOLIDLY,
    '? (uint256(0), amountOut) : (amountOut, uint256(0))',
    '? (amountOut, uint256(0)) : (uint256(0), amountOut)',
  ],
  [ERC4626, 'if (tokenIn != vault) revert NotItsShares(vault, tokenIn);', ''],
  [ERC4626, 'if (taken != amountIn) revert VaultTookOther(vault, amountIn, taken);', ''],
  [ERC4626, 'taken != amountIn', 'taken > amountIn'],
  [
    ERC4626,
    'Tokens.approve(tokenIn, vault, amountIn);',
    'Tokens.approve(tokenIn, vault, amountIn + 1);',
  ],
  [ERC4626, 'redeem(amountIn, to, address(this))', 'redeem(amountIn - 1, to, address(this))'],
  [ERC4626, 'Tokens.approve(tokenIn, vault, 0);', ''],
  [
    APPROVAL,
    'Tokens.approve(token, pool, amountIn);',
    'Tokens.approve(token, pool, amountIn + 1);',
  ],
  [APPROVAL, 'Tokens.approve(token, pool, 0);', ''],
  [APPROVAL, 'if (taken != amountIn) revert PoolTookOther(pool, amountIn, taken);', ''],
  [APPROVAL, 'taken != amountIn', 'taken > amountIn'],
]
