// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../interfaces/IExecutor.sol";

/// @dev One hop as in the program, 30 bytes, right-aligned. Only UNISWAP_V2 and UNISWAP_V4 hops have a feePpm;
/// the others are 27 bytes in the program. Zero means: no hop.
///     tokenIn:uint8 tokenOut:uint8 share:uint24 opcode:uint8 pool:address zeroForOne:uint8 feePpm:uint24
/// In CURVE_STABLE_SWAP and CURVE_CRYPTO hops two indices of coins, 4 bits each, take the place of zeroForOne. UNISWAP_V4 hops
/// name the pool's manager as the pool, have a second bit beside zeroForOne, and 22 more bytes: see `restBefore`.
/// A PAY instruction is 26 bytes: it names its token twice, a part in ppm in place of the share, and the
/// address that it pays in place of the pool.
/// The highest bit of the opcode says that 8 more bytes end the hop: its least rate, see `LeastRate`.
type Hop is uint256;

using Hops for Hop global;

/// @title Decodes the hops of a program. Byte format in docs/program.md.
library Hops {
    uint256 internal constant UNISWAP_V2 = 0x01;
    uint256 internal constant UNISWAP_V3 = 0x02;
    uint256 internal constant SOLIDLY = 0x03;
    uint256 internal constant ERC4626 = 0x04;
    uint256 internal constant STEX = 0x05;
    uint256 internal constant LADDER = 0x06;
    uint256 internal constant CURVE_STABLE_SWAP = 0x07;
    uint256 internal constant LIQUIDITY_BOOK = 0x08;
    uint256 internal constant BALANCER_V3 = 0x09;
    uint256 internal constant UNISWAP_V4 = 0x0a;
    uint256 internal constant CURVE_CRYPTO = 0x0b;
    uint256 internal constant BALANCER_V2 = 0x0c;
    uint256 internal constant BALANCER_BUFFER = 0x0d;
    uint256 internal constant INSTANT_UNSTAKE = 0x0e;
    uint256 private constant LAST = INSTANT_UNSTAKE;
    /// @dev Not a swap; far from the opcodes of the families, which count up from 1.
    uint256 internal constant PAY = 0x20;

    /// @dev Bytes of a UNISWAP_V4 hop after its fee.
    uint256 private constant REST = 22;
    /// @dev Bytes of a least rate, and the bit of a hop that announces it, the highest of the opcode's byte.
    uint256 private constant LEAST_RATE = 8;
    uint256 private constant RATED = 0x80 << 192;

    /// @notice The size of the token table, with the two tokens of the order, and the offset of the hops.
    function start(bytes calldata program) internal pure returns (uint256 count, uint256 offset) {
        if (program.length == 0) return (2, 0);
        uint256 own = uint8(program[0]);
        return (2 + own, 1 + 20 * own);
    }

    /// @notice The token at `index` of the program's own tokens.
    function tokenAt(bytes calldata program, uint256 index) internal pure returns (address) {
        return address(bytes20(program[1 + 20 * index:]));
    }

    /// @notice The hop at `offset` and the offset after it; zero at the end of the program. `count` is
    /// the size of the token table.
    function read(bytes calldata program, uint256 offset, uint256 count)
        internal
        pure
        returns (Hop hop, uint256 next)
    {
        if (offset == program.length) return (hop, offset);
        hop = load(program, offset);
        uint256 family = opcode(hop);
        uint256 size = family == UNISWAP_V2 ? 30 : family == UNISWAP_V4 ? 30 + REST : family == PAY ? 26 : 27;
        bool rated = isRated(hop);
        if (rated) size += LEAST_RATE;
        next = offset + size;
        if (next > program.length) revert IExecutor.ProgramTruncated(offset, size, program.length);
        if (tokenIn(hop) >= count) revert IExecutor.BadTokenIndex(tokenIn(hop), count);
        if (tokenOut(hop) >= count) revert IExecutor.BadTokenIndex(tokenOut(hop), count);
        if (family == PAY && !rated) return (hop, next);
        if (family == 0 || family > LAST) revert IExecutor.UnknownOpcode(rated ? family | 0x80 : family);
        uint256 flag = (Hop.unwrap(hop) >> 24) & 0xFF;
        bool namesCoins = family == CURVE_STABLE_SWAP || family == CURVE_CRYPTO;
        if (flag > (family == UNISWAP_V4 ? 3 : 1) && !namesCoins) {
            revert IExecutor.BadFlag(flag);
        }
    }

    /// @notice Tick spacing and hooks of the UNISWAP_V4 hop that ends at `end`:
    ///     tickSpacing:uint16 hooks:address
    function restBefore(Hop hop, bytes calldata program, uint256 end) internal pure returns (uint256) {
        return uint176(bytes22(program[end - REST - (isRated(hop) ? LEAST_RATE : 0):]));
    }

    /// @notice The least rate of the hop that ends at `end`; 0 if it names none.
    function leastRateBefore(Hop hop, bytes calldata program, uint256 end) internal pure returns (uint256) {
        return isRated(hop) ? uint64(bytes8(program[end - LEAST_RATE:])) : 0;
    }

    /// @notice Whether the hop at `offset` sells all of the amount in to `payee`, and its family is paid
    /// before the swap.
    /// @dev Reads without checks, because `read` checks the same bytes later.
    function sellsAllAt(bytes calldata program, uint256 offset, address payee) internal pure returns (bool) {
        Hop first = load(program, offset);
        return takesAllBefore(first) && tokenIn(first) == 0 && pool(first) == payee;
    }

    /// @dev The 30 bytes at `offset`; bytes past the end of the program are zero.
    function load(bytes calldata program, uint256 offset) private pure returns (Hop) {
        if (offset > program.length) return Hop.wrap(0);
        return Hop.wrap(uint256(bytes32(program[offset:])) >> 16);
    }

    /// @notice Whether the output of `earlier` may go directly to the pool of this hop: a pair that is paid
    /// before its swap, and another one than the pool of `earlier`. The caller must check that it has
    /// no other amount of the token.
    function takesFrom(Hop hop, Hop earlier) internal pure returns (bool) {
        return takesAllBefore(hop) && tokenIn(hop) == tokenOut(earlier) && pool(hop) != pool(earlier)
            && (opcode(earlier) <= ERC4626 || opcode(earlier) == LIQUIDITY_BOOK || opcode(earlier) == BALANCER_V2);
    }

    /// @notice Whether the hop's pool is paid by a transfer before its swap.
    function isPaidBefore(Hop hop) internal pure returns (bool) {
        return namesAmountOut(hop) || opcode(hop) == LIQUIDITY_BOOK;
    }

    /// @notice Whether the call of the hop's pool requests an amount out, which the pool pays or refuses.
    function namesAmountOut(Hop hop) internal pure returns (bool) {
        return opcode(hop) == UNISWAP_V2 || opcode(hop) == SOLIDLY;
    }

    /// @dev Whether the hop sells all of its token in and its pool is paid before the swap.
    function takesAllBefore(Hop hop) private pure returns (bool) {
        return isPaidBefore(hop) && share(hop) == 0;
    }

    /// @notice Index of the token in.
    function tokenIn(Hop hop) internal pure returns (uint256) {
        return Hop.unwrap(hop) >> 232;
    }

    /// @notice Index of the token out.
    function tokenOut(Hop hop) internal pure returns (uint256) {
        return (Hop.unwrap(hop) >> 224) & 0xFF;
    }

    /// @notice The part of the remaining amount of the token in that this hop sells, in 1/0xFFFFFF; 0 = all.
    function share(Hop hop) internal pure returns (uint256) {
        return (Hop.unwrap(hop) >> 200) & 0xFFFFFF;
    }

    /// @notice The pool's family.
    function opcode(Hop hop) internal pure returns (uint256) {
        return (Hop.unwrap(hop) >> 192) & 0x7F;
    }

    /// @dev Whether the hop ends with a least rate.
    function isRated(Hop hop) private pure returns (bool) {
        return Hop.unwrap(hop) & RATED != 0;
    }

    /// @notice The pool.
    function pool(Hop hop) internal pure returns (address) {
        return address(uint160(Hop.unwrap(hop) >> 32));
    }

    /// @notice Whether the pool's token 0 goes in; for a vault or a buffer, whether the hop is a deposit.
    function zeroForOne(Hop hop) internal pure returns (bool) {
        return (Hop.unwrap(hop) >> 24) & 1 == 1;
    }

    /// @notice Whether the pool trades the native token itself as its token 0.
    function isNative(Hop hop) internal pure returns (bool) {
        return (Hop.unwrap(hop) >> 25) & 1 == 1;
    }

    /// @notice Index of the coin in, of a pool that names its coins by index.
    function coinIn(Hop hop) internal pure returns (uint256) {
        return (Hop.unwrap(hop) >> 28) & 0xF;
    }

    /// @notice Index of the coin out, of a pool that names its coins by index.
    function coinOut(Hop hop) internal pure returns (uint256) {
        return (Hop.unwrap(hop) >> 24) & 0xF;
    }

    /// @notice The fee of the pair, or in the key of the pool, in ppm.
    function feePpm(Hop hop) internal pure returns (uint256) {
        return Hop.unwrap(hop) & 0xFFFFFF;
    }
}
