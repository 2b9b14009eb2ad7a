// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title The one contract that users approve.
interface IRouter {
    /// @notice One swap, as measured: `amountOut` is what the receiver's balance rose by.
    event Swap(
        address indexed payer,
        address indexed receiver,
        address tokenIn,
        address tokenOut,
        uint256 amountIn,
        uint256 amountOut
    );

    /// @notice The block's time is past the deadline; both in seconds.
    error DeadlinePassed(uint256 deadline, uint256 timestamp);
    /// @notice `amountIn` is 0.
    error AmountInZero();
    /// @notice `minAmountOut` is 0: a swap without a floor is refused.
    error MinAmountOutZero();
    /// @notice `tokenIn` and `tokenOut` are the same.
    error SameToken(address token);
    /// @notice The receiver is the router or its executor, which keep nothing for anybody.
    error ReceiverRefused(address receiver);
    /// @notice `msg.value` must be `amountIn` for the native token and 0 for every other.
    error WrongValue(uint256 wanted, uint256 got);
    /// @notice The executor received another amount than the one pulled: the token takes a fee or rebases.
    error WrongAmountPulled(address token, uint256 wanted, uint256 got);
    /// @notice `amountOut`, the lesser of what was paid and what arrived, is below the floor.
    error AmountOutTooLow(uint256 minAmountOut, uint256 amountOut);
    /// @notice The receiver refused the native token.
    error NativeTransferFailed(address receiver, uint256 amount);
    /// @notice The native token is accepted only as `msg.value` of `swap`, and from the wrapped token.
    error NativeRefused(address sender);
    /// @notice A swap was called from within a swap.
    error Reentered();

    /// @notice Sells exactly `amountIn` of `tokenIn` for at least `minAmountOut` of `tokenOut`.
    /// @param tokenIn Token pulled from the caller; 0xEeee…EEeE is the native token, paid as `msg.value`.
    /// @param amountIn Exact amount in, in wei of `tokenIn`.
    /// @param tokenOut Token the receiver gets; 0xEeee…EEeE is the native token.
    /// @param minAmountOut The least that must be paid and arrive at the receiver; above 0.
    /// @param receiver Who gets everything that comes out; 0 is the caller.
    /// @param deadline Last acceptable block time, in seconds.
    /// @param program What the executor does; see docs/program.md.
    /// @return amountOut What the receiver's balance rose by.
    function swap(
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        uint256 minAmountOut,
        address receiver,
        uint256 deadline,
        bytes calldata program
    ) external payable returns (uint256 amountOut);

    /// @notice `swap` of an EIP-2612 token, allowed for exactly `amountIn` by the caller's permit to
    /// this router, which is valid until the same `deadline`. Other arguments as in `swap`.
    /// @param signature The permit's r, s and v, 65 bytes. A permit that was already shown to the
    /// token is no error; without an allowance of `amountIn` the pull fails.
    /// @return amountOut What the receiver's balance rose by.
    function swapWithPermit(
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        uint256 minAmountOut,
        address receiver,
        uint256 deadline,
        bytes calldata program,
        bytes calldata signature
    ) external returns (uint256 amountOut);

    /// @notice `swap` of a token that the caller has approved to Permit2, allowed by the caller's
    /// `PermitTransferFrom` of exactly `amountIn` to this router, valid until the same `deadline`.
    /// Other arguments as in `swap`; reverts with what Permit2 says.
    /// @param nonce The permit's own, unordered, usable once.
    /// @param signature Of the caller, in any form that Permit2 takes.
    /// @return amountOut What the receiver's balance rose by.
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
    ) external returns (uint256 amountOut);

    /// @notice The executor this router runs: deployed by it, fixed for ever.
    function executor() external view returns (address);

    /// @notice The wrapped native token.
    function wrappedNative() external view returns (address);
}
