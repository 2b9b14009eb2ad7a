// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Executor} from "./Executor.sol";
import {IExecutor} from "./interfaces/IExecutor.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {IWrappedNative} from "./interfaces/IWrappedNative.sol";
import {Tokens} from "./libraries/Tokens.sol";

/// @title Holds the approvals, and does nothing else with them than what `swap` says.
/// @dev The amount declared by the caller is pulled from the caller, once, straight to the
/// executor; the executor is the router's own and cannot be changed; the floor is checked on the
/// receiver's own balance, after everything else. There is no owner, no fee, no pause, no upgrade, and
/// no call whose target and function a caller could choose together.
contract Router is IRouter {
    /// @inheritdoc IRouter
    address public immutable executor;
    /// @inheritdoc IRouter
    address public immutable wrappedNative;

    /// @dev Stands for the native token wherever a token address is accepted.
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    bool private transient _entered;

    modifier nonReentrant() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    constructor(address wrappedNative_) {
        Tokens.requireCode(wrappedNative_);
        wrappedNative = wrappedNative_;
        executor = address(new Executor());
    }

    /// @dev The wrapped token pays out here when `swap` unwraps; nobody else may send.
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
    ) external payable nonReentrant returns (uint256 amountOut) {
        if (block.timestamp > deadline) revert DeadlinePassed(deadline, block.timestamp);
        if (amountIn == 0) revert AmountInZero();
        if (minAmountOut == 0) revert MinAmountOutZero();
        if (tokenIn == tokenOut) revert SameToken(tokenIn);
        if (receiver == address(0)) receiver = msg.sender;
        if (receiver == address(this) || receiver == executor) revert ReceiverRefused(receiver);

        _pull(tokenIn, amountIn);
        uint256 balance = _balanceOf(tokenOut, receiver);
        uint256 paid = _run(tokenIn, amountIn, tokenOut, receiver, program);
        amountOut = _rise(tokenOut, receiver, balance);
        // The balance alone could be lifted by what the receiver was owed anyway, such as a claim
        // that a hostile pool sets off; what was paid alone could be lost on the way.
        if (paid > amountOut) paid = amountOut;
        if (paid < minAmountOut) revert AmountOutTooLow(minAmountOut, paid);
        emit Swap(msg.sender, receiver, tokenIn, tokenOut, amountIn, amountOut);
    }

    /// @dev Brings exactly `amountIn` from the caller to the executor.
    function _pull(address tokenIn, uint256 amountIn) private {
        bool native = tokenIn == NATIVE;
        uint256 value = native ? amountIn : 0;
        if (msg.value != value) revert WrongValue(value, msg.value);
        address token = _wrapped(tokenIn);
        uint256 balance = Tokens.balanceOf(token, executor);
        if (native) {
            IWrappedNative(wrappedNative).deposit{value: amountIn}();
            Tokens.transfer(token, executor, amountIn);
        } else {
            Tokens.pullFromSender(token, executor, amountIn);
        }
        uint256 pulled = _rise(token, executor, balance);
        if (pulled != amountIn) revert WrongAmountPulled(token, amountIn, pulled);
    }

    /// @dev Runs the program. The executor pays tokens to the receiver itself, and the wrapped
    /// native token to the router when it has to be unwrapped on the way.
    function _run(
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        address receiver,
        bytes calldata program
    ) private returns (uint256 paid) {
        bool native = tokenOut == NATIVE;
        paid = IExecutor(executor).execute(
            _wrapped(tokenIn), amountIn, _wrapped(tokenOut), native ? address(this) : receiver, program
        );
        if (!native) return paid;
        IWrappedNative(wrappedNative).withdraw(paid);
        (bool ok,) = receiver.call{value: paid}("");
        if (!ok) revert NativeTransferFailed(receiver, paid);
    }

    function _wrapped(address token) private view returns (address) {
        return token == NATIVE ? wrappedNative : token;
    }

    function _balanceOf(address token, address account) private view returns (uint256) {
        return token == NATIVE ? account.balance : Tokens.balanceOf(token, account);
    }

    /// @dev What `account` holds of `token` above `balance`; 0 if it holds less.
    function _rise(address token, address account, uint256 balance) private view returns (uint256) {
        uint256 current = _balanceOf(token, account);
        return current > balance ? current - balance : 0;
    }
}
