// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";

/// @title Builds programs in the format of docs/program.md.
library Program {
    uint8 internal constant IN = 0;
    uint8 internal constant OUT = 1;
    uint24 internal constant ALL = 0;
    uint24 internal constant HALF = 0x800000;

    function table() internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(0));
    }

    function table(address a) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(1), a);
    }

    function table(address a, address b) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(2), a, b);
    }

    /// The order of a program: the first pair is the payee where it can be.
    function order(
        address executor,
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        uint256 minAmountOut,
        address receiver,
        uint256 deadline,
        bytes memory program
    ) internal pure returns (IRouter.Order memory) {
        return IRouter.Order(
            tokenIn, amountIn, tokenOut, minAmountOut, receiver, deadline, executor, payee(program, executor)
        );
    }

    /// The payee of a program: the first pair if its hop sells the whole amount in, else the executor.
    function payee(bytes memory program, address executor) internal pure returns (address) {
        if (program.length == 0) return executor;
        uint256 at = 1 + 20 * uint256(uint8(program[0]));
        if (program.length < at + 26) return executor;
        bytes1 opcode = program[at + 5] & 0x7f;
        bool isPair = opcode == 0x01 || opcode == 0x03 || opcode == 0x08;
        bool isAll = program[at + 2] == 0 && program[at + 3] == 0 && program[at + 4] == 0;
        if (!isPair || !isAll || program[at] != 0) return executor;
        uint256 word;
        assembly { word := mload(add(add(program, 32), add(at, 6))) }
        return address(uint160(word >> 96));
    }

    /// All opcodes; `hop` builds a hop of each.
    function opcodes() internal pure returns (uint8[] memory all) {
        all = new uint8[](15);
        for (uint8 i = 0; i < 14; i++) all[i] = i + 1;
        all[14] = 32;
    }

    /// A hop of the family that the opcode names, with simple values for the family's own bytes.
    function hop(uint8 opcode, uint8 tokenIn, uint8 tokenOut, uint24 share, address pool)
        internal
        pure
        returns (bytes memory)
    {
        if (opcode == 1) return v2(tokenIn, tokenOut, share, pool, true, 3000);
        if (opcode == 3) return solidly(tokenIn, tokenOut, share, pool, true);
        if (opcode == 4) return erc4626(tokenIn, tokenOut, share, pool, true);
        if (opcode == 5) return stex(tokenIn, tokenOut, share, pool, true);
        if (opcode == 6) return ladder(tokenIn, tokenOut, share, pool, true);
        if (opcode == 7) return curve(tokenIn, tokenOut, share, pool, 0, 1);
        if (opcode == 8) return liquidityBook(tokenIn, tokenOut, share, pool, true);
        if (opcode == 9) return balancerV3(tokenIn, tokenOut, share, pool);
        if (opcode == 10) return uniswapV4(tokenIn, tokenOut, share, pool, 1, 3000, 60, address(0));
        if (opcode == 11) return crypto(tokenIn, tokenOut, share, pool, 0, 1);
        if (opcode == 12) return balancerV2(tokenIn, tokenOut, share, pool);
        if (opcode == 13) return balancerBuffer(tokenIn, tokenOut, share, pool, true);
        if (opcode == 14) return instantUnstake(tokenIn, tokenOut, share, pool);
        if (opcode == 32) return pay(tokenIn, share % 10_001, pool);
        return v3(tokenIn, tokenOut, share, pool, true);
    }

    /// The hop with a least rate, see `LeastRate`.
    function rated(bytes memory unrated, uint56 mantissa, int8 exponent) internal pure returns (bytes memory) {
        bytes memory copy = bytes.concat(unrated);
        copy[5] |= 0x80;
        return abi.encodePacked(copy, mantissa, exponent);
    }

    function uniswapV4(
        uint8 tokenIn,
        uint8 tokenOut,
        uint24 share,
        address manager,
        uint8 sides,
        uint24 fee,
        uint16 tickSpacing,
        address hooks
    ) internal pure returns (bytes memory) {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(10), manager, sides, fee, tickSpacing, hooks);
    }

    /// Pays a part in ppm of what is held of a token.
    function pay(uint8 token, uint24 ppm, address to) internal pure returns (bytes memory) {
        return abi.encodePacked(token, token, ppm, uint8(32), to);
    }

    function v2(uint8 tokenIn, uint8 tokenOut, uint24 share, address pool, bool zeroForOne, uint24 feePpm)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(1), pool, zeroForOne, feePpm);
    }

    function v3(uint8 tokenIn, uint8 tokenOut, uint24 share, address pool, bool zeroForOne)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(2), pool, zeroForOne);
    }

    function solidly(uint8 tokenIn, uint8 tokenOut, uint24 share, address pool, bool zeroForOne)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(3), pool, zeroForOne);
    }

    function erc4626(uint8 tokenIn, uint8 tokenOut, uint24 share, address vault, bool isDeposit)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(4), vault, isDeposit);
    }

    function stex(uint8 tokenIn, uint8 tokenOut, uint24 share, address pool, bool zeroForOne)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(5), pool, zeroForOne);
    }

    function ladder(uint8 tokenIn, uint8 tokenOut, uint24 share, address pool, bool zeroForOne)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(6), pool, zeroForOne);
    }

    function balancerBuffer(uint8 tokenIn, uint8 tokenOut, uint24 share, address vault, bool isWrap)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(13), vault, isWrap);
    }

    function instantUnstake(uint8 tokenIn, uint8 tokenOut, uint24 share, address manager)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(14), manager, true);
    }

    function balancerV2(uint8 tokenIn, uint8 tokenOut, uint24 share, address pool)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(12), pool, false);
    }

    function balancerV3(uint8 tokenIn, uint8 tokenOut, uint24 share, address pool)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(9), pool, false);
    }

    function curve(uint8 tokenIn, uint8 tokenOut, uint24 share, address pool, uint8 i, uint8 j)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(7), pool, uint8(i * 16 + j));
    }

    function crypto(uint8 tokenIn, uint8 tokenOut, uint24 share, address pool, uint8 i, uint8 j)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(11), pool, uint8(i * 16 + j));
    }

    function liquidityBook(uint8 tokenIn, uint8 tokenOut, uint24 share, address pair, bool swapForY)
        internal
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(tokenIn, tokenOut, share, uint8(8), pair, swapForY);
    }
}
