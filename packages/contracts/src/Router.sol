// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "./interfaces/IExecutor.sol";
import {IPermit2} from "./interfaces/IPermit2.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {IWrappedNative} from "./interfaces/IWrappedNative.sol";
import {Tokens} from "./libraries/Tokens.sol";

/// @title The contract that users approve. It pulls the amount in, calls the executor and checks the floor.
/// @dev The router pulls exactly the declared amount, once, and only from its caller, to the payee that the
/// caller names. It calls the executor that the caller names, once and with a fixed function, and checks the
/// floor against the balance of the receiver. Nothing it can do depends on who the executor is. It reads
/// no program, because the format belongs to the executor. There is no owner, no fee of its own, no pause, no
/// list and no upgrade. The entry points differ only in how the caller authorizes the pull: by an approval,
/// a permit, or Permit2.
contract Router is IRouter {
    /// @inheritdoc IRouter
    address public immutable wrappedNative;

    /// @dev Stands for the native token wherever a token address is accepted.
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    /// @dev The same address on every chain. `swapWithPermit2` reverts on a chain without Permit2.
    IPermit2 private constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

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
    }

    /// @dev The wrapped token pays out here when a swap unwraps; every other sender is refused.
    receive() external payable {
        if (msg.sender != wrappedNative) revert NativeRefused(msg.sender);
    }

    /// @inheritdoc IRouter
    function swap(Order memory order, bytes calldata program)
        external
        payable
        nonReentrant
        returns (uint256)
    {
        uint256 balance = _validate(order);
        if (order.tokenIn == NATIVE) {
            IWrappedNative(wrappedNative).deposit{value: order.amountIn}();
            Tokens.transfer(wrappedNative, order.payee, order.amountIn);
        } else {
            Tokens.pullFromSender(order.tokenIn, order.payee, order.amountIn);
        }
        return _settle(order, balance, program);
    }

    /// @inheritdoc IRouter
    function swapWithPermit(Order memory order, bytes calldata program, bytes calldata signature)
        external
        nonReentrant
        returns (uint256)
    {
        uint256 balance = _validate(order);
        Tokens.permitFromSender(order.tokenIn, order.amountIn, order.deadline, signature);
        Tokens.pullFromSender(order.tokenIn, order.payee, order.amountIn);
        return _settle(order, balance, program);
    }

    /// @inheritdoc IRouter
    function swapWithPermit2(
        Order memory order,
        bytes calldata program,
        uint256 nonce,
        bytes calldata signature
    ) external nonReentrant returns (uint256) {
        uint256 balance = _validate(order);
        PERMIT2.permitTransferFrom(
            IPermit2.PermitTransferFrom(
                IPermit2.TokenPermissions(order.tokenIn, order.amountIn), nonce, order.deadline
            ),
            IPermit2.SignatureTransferDetails(order.payee, order.amountIn),
            msg.sender,
            signature
        );
        return _settle(order, balance, program);
    }

    /// @dev Checks the order and fills in its receiver. `balance` is the executor's balance before the
    /// payment, and 0 if another account is the payee.
    function _validate(Order memory order) private view returns (uint256 balance) {
        if (block.timestamp > order.deadline) revert DeadlinePassed(order.deadline, block.timestamp);
        if (order.amountIn == 0) revert AmountInZero();
        if (order.minAmountOut == 0) revert MinAmountOutZero();
        if (order.tokenIn == order.tokenOut) revert SameToken(order.tokenIn);
        (address executor, address receiver) = (order.executor, order.receiver);
        if (executor == address(this)) revert ExecutorRefused(executor);
        Tokens.requireCode(executor);
        if (receiver == address(0)) order.receiver = receiver = msg.sender;
        if (receiver == address(this) || receiver == executor) revert ReceiverRefused(receiver);
        uint256 value = order.tokenIn == NATIVE ? order.amountIn : 0;
        if (msg.value != value) revert WrongValue(value, msg.value);
        if (order.payee == address(this)) revert PayeeRefused(order.payee);
        if (order.payee == executor) balance = Tokens.balanceOf(_wrapped(order.tokenIn), executor);
    }

    /// @dev Everything after the payment, for all entry points. Checks that the executor received exactly
    /// `amountIn` (another payee is checked by the executor and the pool), calls the executor, and checks
    /// that the receiver got at least the floor.
    function _settle(Order memory order, uint256 balance, bytes calldata program)
        private
        returns (uint256 amountOut)
    {
        if (order.payee == order.executor) {
            address token = _wrapped(order.tokenIn);
            uint256 pulled = _increase(token, order.payee, balance);
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

    /// @dev Calls the executor, which pays the receiver directly; only if the order asks for the native
    /// token, it pays the wrapped token to the router, which unwraps for the receiver what has arrived here,
    /// whatever the executor says.
    function _execute(Order memory order, bytes calldata program) private returns (uint256 paid) {
        bool native = order.tokenOut == NATIVE;
        uint256 balance = native ? Tokens.balanceOf(wrappedNative, address(this)) : 0;
        paid = IExecutor(order.executor).execute(
            _wrapped(order.tokenIn),
            order.amountIn,
            _wrapped(order.tokenOut),
            native ? address(this) : order.receiver,
            order.payee,
            program
        );
        if (!native) return paid;
        paid = _increase(wrappedNative, address(this), balance);
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
