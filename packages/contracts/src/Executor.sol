// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "./interfaces/IExecutor.sol";
import {Cursor} from "./libraries/Cursor.sol";
import {Tokens} from "./libraries/Tokens.sol";
import {Erc4626} from "./swaps/Erc4626.sol";
import {Ladder} from "./swaps/Ladder.sol";
import {Solidly} from "./swaps/Solidly.sol";
import {Stex} from "./swaps/Stex.sol";
import {UniswapV2} from "./swaps/UniswapV2.sol";
import {UniswapV3} from "./swaps/UniswapV3.sol";

/// @title Reads a program and performs its hops.
/// @dev Nobody approves this contract. What it may spend is what `held` says, an account kept in
/// memory of what this call brought in and what its hops brought home: a balance found here
/// otherwise belongs to nobody, can be taken by nobody, and disturbs nothing. Programs choose
/// tokens, pools and amounts; the functions called on them are fixed in this code.
contract Executor is IExecutor, UniswapV3 {
    /// @inheritdoc IExecutor
    address public immutable router;

    uint256 private constant UNISWAP_V2 = 0x01;
    uint256 private constant UNISWAP_V3 = 0x02;
    uint256 private constant SOLIDLY = 0x03;
    uint256 private constant ERC4626 = 0x04;
    uint256 private constant STEX = 0x05;
    uint256 private constant LADDER = 0x06;
    uint256 private constant SHARE_ONE = 0xFFFFFF;

    struct Hop {
        uint256 tokenIn;
        uint256 tokenOut;
        uint256 share;
        uint256 opcode;
        address pool;
        bool zeroForOne;
        uint256 feePpm;
    }

    constructor() {
        router = msg.sender;
    }

    /// @inheritdoc IExecutor
    function execute(
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        address recipient,
        bytes calldata program
    ) external returns (uint256 amountOut) {
        if (msg.sender != router) revert NotRouter(msg.sender);
        (address[] memory tokens, uint256 offset) = _readTokens(tokenIn, tokenOut, program);
        uint256[] memory held = new uint256[](tokens.length);
        if (offset == program.length) {
            if (tokenIn != tokenOut) revert NoHops();
            held[1] = amountIn;
        } else {
            held[0] = amountIn;
            _run(program, offset, tokens, held);
        }
        amountOut = held[1];
        if (amountOut != 0) Tokens.transfer(tokenOut, recipient, amountOut);
    }

    /// @dev The token table: the order's two tokens, then the program's own.
    function _readTokens(address tokenIn, address tokenOut, bytes calldata program)
        private
        pure
        returns (address[] memory tokens, uint256 offset)
    {
        uint256 count;
        if (program.length != 0) (count, offset) = Cursor.read(program, 0, 1);
        tokens = new address[](2 + count);
        tokens[0] = tokenIn;
        tokens[1] = tokenOut;
        for (uint256 i = 0; i < count; i++) {
            uint256 token;
            (token, offset) = Cursor.read(program, offset, 20);
            tokens[2 + i] = address(uint160(token));
        }
    }

    /// @dev Performs every hop, and refuses to finish while anything but `tokenOut` is held.
    function _run(bytes calldata program, uint256 offset, address[] memory tokens, uint256[] memory held)
        private
    {
        while (offset < program.length) {
            Hop memory hop;
            (hop, offset) = _readHop(program, offset, tokens.length);
            _perform(hop, tokens, held);
        }
        for (uint256 i = 0; i < held.length; i++) {
            if (i != 1 && held[i] != 0) revert Leftover(tokens[i], held[i]);
        }
    }

    function _readHop(bytes calldata program, uint256 offset, uint256 count)
        private
        pure
        returns (Hop memory hop, uint256 next)
    {
        uint256 word;
        (word, next) = Cursor.read(program, offset, 6);
        hop.tokenIn = word >> 40;
        hop.tokenOut = (word >> 32) & 0xFF;
        hop.share = (word >> 8) & 0xFFFFFF;
        hop.opcode = word & 0xFF;
        if (hop.tokenIn >= count) revert BadTokenIndex(hop.tokenIn, count);
        if (hop.tokenOut >= count) revert BadTokenIndex(hop.tokenOut, count);
        if (hop.opcode < UNISWAP_V2 || hop.opcode > LADDER) revert UnknownOpcode(hop.opcode);
        (word, next) = Cursor.read(program, next, 21);
        hop.pool = address(uint160(word >> 8));
        if (word & 0xFF > 1) revert BadFlag(word & 0xFF);
        hop.zeroForOne = word & 0xFF == 1;
        if (hop.opcode == UNISWAP_V2) (hop.feePpm, next) = Cursor.read(program, next, 3);
    }

    function _perform(Hop memory hop, address[] memory tokens, uint256[] memory held) private {
        address tokenIn = tokens[hop.tokenIn];
        address tokenOut = tokens[hop.tokenOut];
        if (tokenIn == tokenOut) revert HopSameToken(tokenIn);
        uint256 amountIn = held[hop.tokenIn];
        if (hop.share != 0) amountIn = amountIn * hop.share / SHARE_ONE;
        if (amountIn == 0) return;
        held[hop.tokenIn] -= amountIn;

        Tokens.requireCode(hop.pool);
        uint256 beforeHop = Tokens.balanceOf(tokenOut, address(this));
        if (hop.opcode == UNISWAP_V2) {
            UniswapV2.swap(hop.pool, tokenIn, amountIn, hop.zeroForOne, hop.feePpm);
        } else if (hop.opcode == SOLIDLY) {
            Solidly.swap(hop.pool, tokenIn, amountIn, hop.zeroForOne);
        } else if (hop.opcode == ERC4626) {
            Erc4626.swap(hop.pool, tokenIn, amountIn, hop.zeroForOne);
        } else if (hop.opcode == STEX) {
            Stex.swap(hop.pool, tokenIn, tokenOut, amountIn, hop.zeroForOne);
        } else if (hop.opcode == LADDER) {
            Ladder.swap(hop.pool, tokenIn, tokenOut, amountIn);
        } else {
            _swapUniswapV3(hop.pool, tokenIn, amountIn, hop.zeroForOne);
        }
        uint256 afterHop = Tokens.balanceOf(tokenOut, address(this));
        // Nothing of this token may mean something of another, which would be stranded here.
        if (afterHop <= beforeHop) revert NothingPaid(hop.pool, tokenOut, beforeHop, afterHop);
        held[hop.tokenOut] += afterHop - beforeHop;
    }
}
