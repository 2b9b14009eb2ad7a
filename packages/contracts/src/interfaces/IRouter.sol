// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Interface of the router, the one contract that users approve.
interface IRouter {
    /// @notice A swap was done; `amountOut` is the measured increase of the receiver's balance.
    event Swap(
        address indexed payer,
        address indexed receiver,
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        uint256 amountOut
    );

    /// @notice The time of the block is after the deadline; both in seconds.
    error DeadlinePassed(uint256 deadline, uint256 timestamp);
    /// @notice `amountIn` is 0.
    error AmountInZero();
    /// @notice `minAmountOut` is 0: a swap without a floor is refused.
    error MinAmountOutZero();
    /// @notice `tokenIn` and `tokenOut` are the same.
    error SameToken(address token);
    /// @notice The executor is the router itself.
    error ExecutorRefused(address executor);
    /// @notice The receiver is the router or the executor, where the output would be lost.
    error ReceiverRefused(address receiver);
    /// @notice The payee is the router, where the amount in would be lost.
    error PayeeRefused(address payee);
    /// @notice `msg.value` must be `amountIn` if the native token is sold, and 0 otherwise.
    error WrongValue(uint256 wanted, uint256 got);
    /// @notice The executor did not receive exactly the amount pulled: the token takes a fee or rebases.
    error WrongAmountPulled(address token, uint256 wanted, uint256 got);
    /// @notice `amountOut`, the smaller of the amount paid and the amount that arrived, is below the floor.
    error AmountOutTooLow(uint256 minAmountOut, uint256 amountOut);
    /// @notice The receiver refused the native token.
    error NativeTransferFailed(address receiver, uint256 amount);
    /// @notice The native token is accepted only as `msg.value` of `swap`, and from the wrapped token.
    error NativeRefused(address sender);
    /// @notice A swap was called from within a swap.
    error Reentered();

    /// @notice What the caller declares in every entry point.
    /// @param tokenIn Token pulled from the caller; 0xEeee…EEeE is the native token, paid as `msg.value`.
    /// @param amountIn Exact amount in, in wei of `tokenIn`.
    /// @param tokenOut Token the receiver gets; 0xEeee…EEeE is the native token.
    /// @param minAmountOut The floor: the least that must be paid and must arrive; above 0.
    /// @param receiver The address that gets the output, less what the program pays; 0 is the caller.
    /// @param deadline Last acceptable block time, in seconds.
    /// @param executor The contract that performs the program.
    /// @param payee The account that gets the amount in: the executor, or what it accepts in its place.
    struct Order {
        address tokenIn;
        uint256 amountIn;
        address tokenOut;
        uint256 minAmountOut;
        address receiver;
        uint256 deadline;
        address executor;
        address payee;
    }

    /// @notice Sells exactly `amountIn` of `tokenIn` for at least `minAmountOut` of `tokenOut`.
    /// @param program Bytes for the executor; the router does not read them.
    /// @return amountOut The increase of the receiver's balance, in wei of `tokenOut`.
    function swap(Order calldata order, bytes calldata program)
        external
        payable
        returns (uint256 amountOut);

    /// @notice `swap` of an EIP-2612 token with the caller's permit: for this router, for exactly
    /// `amountIn`, valid until the same `deadline`.
    /// @param signature r, s and v of the permit, 65 bytes. A permit that was already submitted to the
    /// token is no error; if the allowance is below `amountIn`, the pull reverts.
    function swapWithPermit(Order calldata order, bytes calldata program, bytes calldata signature)
        external
        returns (uint256 amountOut);

    /// @notice `swap` of a token that the caller has approved for Permit2, with the caller's
    /// `PermitTransferFrom`: for this router, for exactly `amountIn`, valid until the same `deadline`.
    /// An error of Permit2 is passed on unchanged.
    /// @param nonce Unordered nonce of the permit, usable once.
    /// @param signature The caller's signature, in any form that Permit2 accepts.
    function swapWithPermit2(
        Order calldata order,
        bytes calldata program,
        uint256 nonce,
        bytes calldata signature
    ) external returns (uint256 amountOut);

    /// @notice The wrapped native token.
    function wrappedNative() external view returns (address);
}
