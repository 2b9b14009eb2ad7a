// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Executor} from "./Executor.sol";
import {IExecutor} from "./interfaces/IExecutor.sol";
import {IPermit2} from "./interfaces/IPermit2.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {IWrappedNative} from "./interfaces/IWrappedNative.sol";
import {Hops} from "./libraries/Hops.sol";
import {Tokens} from "./libraries/Tokens.sol";

/// @title The contract that users approve. It pulls the amount in, runs the program and checks the floor.
/// @dev The router pulls exactly the declared amount, once, and only from its caller. It sends this
/// amount to its own executor, which cannot be replaced, or to the pair that the program pays first.
/// Last, it checks the floor against the balance of the receiver. There is no owner, no fee of its own, no
/// pause and no upgrade. In no call can a caller choose both the target and the function. The entry points
/// differ only in how the caller authorizes the pull: by an approval, a permit, or Permit2.
contract Router is IRouter {
    /// @inheritdoc IRouter
    address public immutable executor;
    /// @inheritdoc IRouter
    address public immutable wrappedNative;

    /// @dev Stands for the native token wherever a token address is accepted.
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    /// @dev The same address on every chain. `swapWithPermit2` reverts on a chain without Permit2.
    IPermit2 private constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    /// @dev What the caller declares: the first six arguments of every entry point.
    struct Order {
        address tokenIn;
        uint256 amountIn;
        address tokenOut;
        uint256 minAmountOut;
        address receiver;
        uint256 deadline;
    }

    /// @dev 1 during a swap. A full word, because writing a part of a word costs an extra read.
    uint256 private transient _entered;

    modifier nonReentrant() {
        if (_entered != 0) revert Reentered();
        _entered = 1;
        _;
        _entered = 0;
    }

    constructor(address wrappedNative_) {
        Tokens.requireCode(wrappedNative_);
        wrappedNative = wrappedNative_;
        executor = address(new Executor(wrappedNative_));
    }

    /// @dev The wrapped token pays out here when a swap unwraps; every other sender is refused.
    receive() external payable {
        if (msg.sender != wrappedNative) revert NativeRefused(msg.sender);
    }

    /// @inheritdoc IRouter
    function swap(
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        uint256 minAmountOut,
        address receiver,
        uint256 deadline,
        bytes calldata program
    ) external payable nonReentrant returns (uint256) {
        Order memory order = Order(tokenIn, amountIn, tokenOut, minAmountOut, receiver, deadline);
        (address payee, uint256 balance) = _validate(order, program);
        if (tokenIn == NATIVE) {
            IWrappedNative(wrappedNative).deposit{value: amountIn}();
            Tokens.transfer(wrappedNative, payee, amountIn);
        } else {
            Tokens.pullFromSender(tokenIn, payee, amountIn);
        }
        return _settle(order, payee, balance, program);
    }

    /// @inheritdoc IRouter
    function swapWithPermit(
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        uint256 minAmountOut,
        address receiver,
        uint256 deadline,
        bytes calldata program,
        bytes calldata signature
    ) external nonReentrant returns (uint256) {
        Order memory order = Order(tokenIn, amountIn, tokenOut, minAmountOut, receiver, deadline);
        (address payee, uint256 balance) = _validate(order, program);
        Tokens.permitFromSender(order.tokenIn, order.amountIn, order.deadline, signature);
        Tokens.pullFromSender(order.tokenIn, payee, order.amountIn);
        return _settle(order, payee, balance, program);
    }

    /// @inheritdoc IRouter
    function swapWithPermit2(
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        uint256 minAmountOut,
        address receiver,
        uint256 deadline,
        bytes calldata program,
        uint256 nonce,
        bytes calldata signature
    ) external nonReentrant returns (uint256) {
        Order memory order = Order(tokenIn, amountIn, tokenOut, minAmountOut, receiver, deadline);
        (address payee, uint256 balance) = _validate(order, program);
        _pullByPermit2(order, payee, nonce, signature);
        return _settle(order, payee, balance, program);
    }

    /// @dev Pulls through Permit2 instead of an approval of this router. The payer is `msg.sender` here too.
    function _pullByPermit2(Order memory order, address payee, uint256 nonce, bytes calldata signature)
        private
    {
        PERMIT2.permitTransferFrom(
            IPermit2.PermitTransferFrom(
                IPermit2.TokenPermissions(order.tokenIn, order.amountIn), nonce, order.deadline
            ),
            IPermit2.SignatureTransferDetails(payee, order.amountIn),
            msg.sender,
            signature
        );
    }

    /// @dev Checks the order and chooses the payee: the executor, or the pool of the program's first
    /// hop. `balance` is the executor's balance before the payment, and 0 if a pool is the payee.
    function _validate(Order memory order, bytes calldata program)
        private
        view
        returns (address payee, uint256 balance)
    {
        if (block.timestamp > order.deadline) revert DeadlinePassed(order.deadline, block.timestamp);
        if (order.amountIn == 0) revert AmountInZero();
        if (order.minAmountOut == 0) revert MinAmountOutZero();
        if (order.tokenIn == order.tokenOut) revert SameToken(order.tokenIn);
        address receiver = order.receiver;
        if (receiver == address(0)) order.receiver = receiver = msg.sender;
        if (receiver == address(this) || receiver == executor) revert ReceiverRefused(receiver);
        uint256 value = order.tokenIn == NATIVE ? order.amountIn : 0;
        if (msg.value != value) revert WrongValue(value, msg.value);
        payee = Hops.payee(program, executor);
        if (payee == executor) balance = Tokens.balanceOf(_wrapped(order.tokenIn), executor);
    }

    /// @dev Everything after the payment, for all entry points. Checks that the executor received
    /// exactly `amountIn` (a pool that is the payee checks its own payment), runs the program, and
    /// checks that the receiver got at least the floor.
    function _settle(Order memory order, address payee, uint256 balance, bytes calldata program)
        private
        returns (uint256 amountOut)
    {
        if (payee == executor) {
            address token = _wrapped(order.tokenIn);
            uint256 pulled = _increase(token, executor, balance);
            if (pulled != order.amountIn) revert WrongAmountPulled(token, order.amountIn, pulled);
        }

        balance = _balanceOf(order.tokenOut, order.receiver);
        uint256 paid = _execute(order, program);
        amountOut = _increase(order.tokenOut, order.receiver, balance);
        // Neither figure is enough alone. A hostile pool could raise the balance by triggering a payment
        // that the receiver was owed anyway, and the amount paid could be lost on its way.
        if (paid > amountOut) paid = amountOut;
        if (paid < order.minAmountOut) revert AmountOutTooLow(order.minAmountOut, paid);
        emit Swap(msg.sender, order.receiver, order.tokenIn, order.tokenOut, order.amountIn, amountOut);
    }

    /// @dev Runs the program. The executor pays the receiver directly; only if the order asks for the
    /// native token, it pays the wrapped token to the router, which unwraps it for the receiver.
    function _execute(Order memory order, bytes calldata program) private returns (uint256 paid) {
        bool native = order.tokenOut == NATIVE;
        address recipient = native ? address(this) : order.receiver;
        paid = IExecutor(executor).execute(
            _wrapped(order.tokenIn), order.amountIn, _wrapped(order.tokenOut), recipient, program
        );
        if (!native) return paid;
        IWrappedNative(wrappedNative).withdraw(paid);
        (bool ok,) = order.receiver.call{value: paid}("");
        if (!ok) revert NativeTransferFailed(order.receiver, paid);
    }

    function _wrapped(address token) private view returns (address) {
        return token == NATIVE ? wrappedNative : token;
    }

    function _balanceOf(address token, address account) private view returns (uint256) {
        return token == NATIVE ? account.balance : Tokens.balanceOf(token, account);
    }

    /// @dev The increase of `account`'s balance of `token` over `balance`; 0 if it fell.
    function _increase(address token, address account, uint256 balance) private view returns (uint256) {
        uint256 current = _balanceOf(token, account);
        return current > balance ? current - balance : 0;
    }
}
