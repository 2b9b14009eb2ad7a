// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Interface of the executor, which performs the hops of a program for its router.
/// @dev The executor has no approvals from users, and keeps no tokens between two calls.
interface IExecutor {
    /// @notice The caller is not the router of this executor.
    error NotRouter(address caller);
    /// @notice The router paid `payee`, which is neither this executor nor the pool to which the first hop
    /// sells the whole amount in.
    error NotFirstPool(address payee);
    /// @notice The program has no hops, but the two tokens differ.
    error NoHops();
    /// @notice The program of `length` bytes ends before the `size` bytes of the hop at `offset`.
    error ProgramTruncated(uint256 offset, uint256 size, uint256 length);
    /// @notice A hop names no known pool family.
    error UnknownOpcode(uint256 opcode);
    /// @notice A byte that must be 0 or 1 is neither.
    error BadFlag(uint256 flag);
    /// @notice A hop names a token outside the table of `count` tokens.
    error BadTokenIndex(uint256 index, uint256 count);
    /// @notice A hop's two tokens are one address.
    error HopSameToken(address token);
    /// @notice A pool was paid, but the recipient's balance of the hop's token out did not increase.
    error NothingPaid(address pool, address token, uint256 beforeHop, uint256 afterHop);
    /// @notice A hop paid less for `amountIn` than its least rate asks for.
    error RateTooLow(address pool, uint256 amountIn, uint256 amountOut, uint256 least);
    /// @notice A payment names two tokens; it must name one token twice.
    error PaymentTokens(uint256 index, uint256 other);
    /// @notice A payment takes more than 10,000 ppm of what is held.
    error PaymentTooHigh(uint256 ppm);
    /// @notice A payment goes to the router or its executor, where it would be lost.
    error PaymentRefused(address recipient);
    /// @notice The program ends with `amount` of an intermediate token, or of the token in, unsold.
    error Leftover(address token, uint256 amount);

    /// @notice Runs a program on `amountIn` of `tokenIn`, which the router has already sent to `payee`.
    /// @param tokenIn Token at index 0 of the program's table.
    /// @param amountIn Amount to sell, in wei; any other balance is a donation and is not touched.
    /// @param tokenOut Token at index 1 of the program's table.
    /// @param recipient The address that gets the output, less what the program pays out of it.
    /// @param payee This contract, which then received exactly `amountIn`, or the pool of the first hop.
    /// @param program Byte format in docs/program.md.
    /// @return amountOut The amount sent to `recipient`, in wei of `tokenOut`.
    function execute(
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        address recipient,
        address payee,
        bytes calldata program
    ) external returns (uint256 amountOut);

    /// @notice The only caller that `execute` accepts.
    function router() external view returns (address);
}
