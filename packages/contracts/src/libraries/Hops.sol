// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../interfaces/IExecutor.sol";

/// @dev One hop in 30 bytes, as a program has it; feePpm is 0 where a program has none. All zero is
/// no hop.
///     tokenIn:uint8 tokenOut:uint8 share:uint24 opcode:uint8 pool:address zeroForOne:uint8 feePpm:uint24
type Hop is uint256;

using Hops for Hop global;

/// @title Reading hops off a program, for the router and the executor alike.
library Hops {
    uint256 internal constant UNISWAP_V2 = 0x01;
    uint256 internal constant UNISWAP_V3 = 0x02;
    uint256 internal constant SOLIDLY = 0x03;
    uint256 internal constant ERC4626 = 0x04;
    uint256 internal constant STEX = 0x05;
    uint256 internal constant LADDER = 0x06;

    /// @notice How many tokens a program may name, the order's two included, and where its hops begin.
    function start(bytes calldata program) internal pure returns (uint256 count, uint256 offset) {
        if (program.length == 0) return (2, 0);
        uint256 own = uint8(program[0]);
        return (2 + own, 1 + 20 * own);
    }

    /// @notice The token at `index` of the program's own.
    function tokenAt(bytes calldata program, uint256 index) internal pure returns (address) {
        return address(bytes20(program[1 + 20 * index:]));
    }

    /// @notice The hop at `offset`, of a table of `count` tokens, and the offset after it; no hop at the
    /// program's end.
    function read(bytes calldata program, uint256 offset, uint256 count)
        internal
        pure
        returns (Hop hop, uint256 next)
    {
        if (offset == program.length) return (hop, offset);
        hop = load(program, offset);
        uint256 family = opcode(hop);
        uint256 size = family == UNISWAP_V2 ? 30 : 27;
        next = offset + size;
        if (next > program.length) revert IExecutor.ProgramTruncated(offset, size, program.length);
        if (tokenIn(hop) >= count) revert IExecutor.BadTokenIndex(tokenIn(hop), count);
        if (tokenOut(hop) >= count) revert IExecutor.BadTokenIndex(tokenOut(hop), count);
        if (family == 0 || family > LADDER) revert IExecutor.UnknownOpcode(family);
        uint256 flag = (Hop.unwrap(hop) >> 24) & 0xFF;
        if (flag > 1) revert IExecutor.BadFlag(flag);
    }

    /// @notice Whom the router pays: the first hop's pool if that hop sells the whole amount in and its
    /// family is paid before the swap, and the executor otherwise.
    /// @dev The executor reads the same bytes, and refuses what is wrong with them.
    function payee(bytes calldata program, address executor) internal pure returns (address) {
        (, uint256 offset) = start(program);
        Hop first = load(program, offset);
        return isPaidByRouter(first) ? pool(first) : executor;
    }

    /// @dev Thirty bytes at `offset`, with zeros for those past the program's end.
    function load(bytes calldata program, uint256 offset) private pure returns (Hop) {
        if (offset > program.length) return Hop.wrap(0);
        return Hop.wrap(uint256(bytes32(program[offset:])) >> 16);
    }

    /// @notice Whether the router has paid this hop, the first of its program.
    function isPaidByRouter(Hop hop) internal pure returns (bool) {
        return takesAllBefore(hop) && tokenIn(hop) == 0;
    }

    /// @notice Whether what `earlier` brings goes straight to this hop's pool, if nothing else is held
    /// of the token: a pair that is paid before its swap, and not the one that pays.
    function takesFrom(Hop hop, Hop earlier) internal pure returns (bool) {
        return takesAllBefore(hop) && tokenIn(hop) == tokenOut(earlier) && pool(hop) != pool(earlier)
            && opcode(earlier) <= ERC4626;
    }

    /// @notice Whether the hop's pool is paid by a transfer before its swap.
    function isPaidBefore(Hop hop) internal pure returns (bool) {
        return opcode(hop) == UNISWAP_V2 || opcode(hop) == SOLIDLY;
    }

    function takesAllBefore(Hop hop) private pure returns (bool) {
        return isPaidBefore(hop) && share(hop) == 0;
    }

    /// @notice Index of the token that goes in.
    function tokenIn(Hop hop) internal pure returns (uint256) {
        return Hop.unwrap(hop) >> 232;
    }

    /// @notice Index of the token that comes out.
    function tokenOut(Hop hop) internal pure returns (uint256) {
        return (Hop.unwrap(hop) >> 224) & 0xFF;
    }

    /// @notice Part of what is held that goes in, in 1/0xFFFFFF; 0 is everything.
    function share(Hop hop) internal pure returns (uint256) {
        return (Hop.unwrap(hop) >> 200) & 0xFFFFFF;
    }

    /// @notice The pool's family.
    function opcode(Hop hop) internal pure returns (uint256) {
        return (Hop.unwrap(hop) >> 192) & 0xFF;
    }

    /// @notice The pool.
    function pool(Hop hop) internal pure returns (address) {
        return address(uint160(Hop.unwrap(hop) >> 32));
    }

    /// @notice Whether the pool's token 0 goes in; of a vault, whether it is a deposit.
    function zeroForOne(Hop hop) internal pure returns (bool) {
        return (Hop.unwrap(hop) >> 24) & 0xFF == 1;
    }

    /// @notice The pair's fee in millionths.
    function feePpm(Hop hop) internal pure returns (uint256) {
        return Hop.unwrap(hop) & 0xFFFFFF;
    }
}
