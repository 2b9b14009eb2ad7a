// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title The interpreter of programs: holds no approval, and nothing between two calls.
interface IExecutor {
    /// @notice Only the router that deployed the executor may run it.
    error NotRouter(address caller);
    /// @notice A program without hops, while the two tokens differ.
    error NoHops();
    /// @notice `size` bytes were wanted at `offset` of a program of `length` bytes.
    error ProgramTruncated(uint256 offset, uint256 size, uint256 length);
    /// @notice A hop names no known pool family.
    error UnknownOpcode(uint256 opcode);
    /// @notice A byte that must be 0 or 1 is neither.
    error BadFlag(uint256 flag);
    /// @notice A hop names a token outside the table of `count` tokens.
    error BadTokenIndex(uint256 index, uint256 count);
    /// @notice A hop's two tokens are one address.
    error HopSameToken(address token);
    /// @notice A pool was paid, and brought nothing of the token the hop names, or took some of it.
    error NothingPaid(address pool, address token, uint256 beforeHop, uint256 afterHop);
    /// @notice The program leaves some of a token unsold.
    error Leftover(address token, uint256 amount);

    /// @notice Runs a program over `amountIn` of `tokenIn`, which the router has already sent here.
    /// @param tokenIn Token at index 0 of the program's table.
    /// @param amountIn Amount held of it, in wei; anything beyond is a donation and is left alone.
    /// @param tokenOut Token at index 1 of the program's table.
    /// @param recipient Who is sent everything held of `tokenOut` at the end.
    /// @param program Byte format in docs/program.md.
    /// @return amountOut The amount sent.
    function execute(
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        address recipient,
        bytes calldata program
    ) external returns (uint256 amountOut);

    /// @notice The only caller `execute` accepts.
    function router() external view returns (address);
}
