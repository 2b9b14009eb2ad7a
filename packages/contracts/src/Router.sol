// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Executor} from "./Executor.sol";
import {IExecutor} from "./interfaces/IExecutor.sol";
import {IPermit2} from "./interfaces/IPermit2.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {IWrappedNative} from "./interfaces/IWrappedNative.sol";
import {Hops} from "./libraries/Hops.sol";
import {Tokens} from "./libraries/Tokens.sol";

/// @title Holds the approvals, and does nothing else with them than what its caller declares.
/// @dev The amount declared by the caller is pulled from the caller, once, straight to the
/// executor; the executor is the router's own and cannot be changed; the floor is checked on the
/// receiver's own balance, after everything else. There is no owner, no fee, no pause, no upgrade, and
/// no call whose target and function a caller could choose together. The entry points differ in
/// nothing but how the caller allows the pull: by an approval, a permit, or Permit2.
contract Router is IRouter {
    /// @inheritdoc IRouter
    address public immutable executor;
    /// @inheritdoc IRouter
    address public immutable wrappedNative;

    /// @dev Stands for the native token wherever a token address is accepted.
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    /// @dev At this address on every chain that has it; where it is missing its way of paying reverts.
    IPermit2 private constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    /// @dev What the caller declared: the arguments that every entry point begins with.
    struct Order {
        address tokenIn;
        uint256 amountIn;
        address tokenOut;
        uint256 minAmountOut;
        address receiver;
        uint256 deadline;
    }

    /// @dev 1 during a swap. A whole word, because a part of one is read before it is written.
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
    ) external payable nonReentrant returns (uint256) {
        Order memory order = Order(tokenIn, amountIn, tokenOut, minAmountOut, receiver, deadline);
        (address payee, uint256 balance) = _open(order, program);
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
        (address payee, uint256 balance) = _open(order, program);
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
        (address payee, uint256 balance) = _open(order, program);
        _pullByPermit2(order, payee, nonce, signature);
        return _settle(order, payee, balance, program);
    }

    /// @dev Permit2 in the place of the standing approval: the payer is `msg.sender` here too.
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

    /// @dev Refuses what is wrong with the order itself, and says whom to pay: the executor, of which it
    /// reads what it holds before, or the pool of the program's first hop.
    function _open(Order memory order, bytes calldata program)
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

    /// @dev Everything after the payment, which was the same however it was made: the executor has
    /// exactly `amountIn` more than `balance`, or a pool has it, which judges for itself what came; and
    /// the receiver ends with the floor more at least.
    function _settle(Order memory order, address payee, uint256 balance, bytes calldata program)
        private
        returns (uint256 amountOut)
    {
        if (payee == executor) {
            address token = _wrapped(order.tokenIn);
            uint256 pulled = _rise(token, executor, balance);
            if (pulled != order.amountIn) revert WrongAmountPulled(token, order.amountIn, pulled);
        }

        balance = _balanceOf(order.tokenOut, order.receiver);
        uint256 paid = _run(order, program);
        amountOut = _rise(order.tokenOut, order.receiver, balance);
        // The balance alone could be lifted by what the receiver was owed anyway, such as a claim
        // that a hostile pool sets off; what was paid alone could be lost on the way.
        if (paid > amountOut) paid = amountOut;
        if (paid < order.minAmountOut) revert AmountOutTooLow(order.minAmountOut, paid);
        emit Swap(msg.sender, order.receiver, order.tokenIn, order.tokenOut, order.amountIn, amountOut);
    }

    /// @dev Runs the program. The executor pays tokens to the receiver itself, and the wrapped
    /// native token to the router when it has to be unwrapped on the way.
    function _run(Order memory order, bytes calldata program) private returns (uint256 paid) {
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

    /// @dev What `account` holds of `token` above `balance`; 0 if it holds less.
    function _rise(address token, address account, uint256 balance) private view returns (uint256) {
        uint256 current = _balanceOf(token, account);
        return current > balance ? current - balance : 0;
    }
}
