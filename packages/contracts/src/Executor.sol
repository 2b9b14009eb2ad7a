// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "./interfaces/IExecutor.sol";
import {Hop, Hops} from "./libraries/Hops.sol";
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

    uint256 private constant SHARE_ONE = 0xFFFFFF;

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
        (uint256 count, uint256 offset) = Hops.start(program);
        if (offset == program.length) {
            if (tokenIn != tokenOut) revert NoHops();
            amountOut = amountIn;
        } else {
            uint256[] memory held = new uint256[](count);
            held[0] = amountIn;
            _run(tokenIn, tokenOut, program, offset, held);
            amountOut = held[1];
        }
        if (amountOut != 0) Tokens.transfer(tokenOut, recipient, amountOut);
    }

    /// @dev Performs every hop, and refuses to finish while anything but the token out is held. What is
    /// `paid` lies in the hop's pool already: the router put it there, or the hop before did.
    function _run(
        address tokenIn,
        address tokenOut,
        bytes calldata program,
        uint256 offset,
        uint256[] memory held
    ) private {
        (Hop hop, uint256 next) = Hops.read(program, offset, held.length);
        bool paid = hop.isPaidByRouter();
        while (Hop.unwrap(hop) != 0) {
            Hop following;
            (following, next) = Hops.read(program, next, held.length);
            bool passesOn = following.takesFrom(hop) && held[hop.tokenOut()] == 0;
            _perform(
                hop,
                _tokenAt(hop.tokenIn(), tokenIn, tokenOut, program),
                _tokenAt(hop.tokenOut(), tokenIn, tokenOut, program),
                held,
                paid,
                passesOn ? following.pool() : address(this)
            );
            (hop, paid) = (following, passesOn);
        }
        for (uint256 i = 0; i < held.length; i++) {
            if (i != 1 && held[i] != 0) revert Leftover(_tokenAt(i, tokenIn, tokenOut, program), held[i]);
        }
    }

    /// @dev The token table: the order's two tokens, then the program's own.
    function _tokenAt(uint256 index, address tokenIn, address tokenOut, bytes calldata program)
        private
        pure
        returns (address)
    {
        if (index == 0) return tokenIn;
        return index == 1 ? tokenOut : Hops.tokenAt(program, index - 2);
    }

    /// @dev One hop, whose output goes `to` this contract or to the next hop's pool.
    function _perform(
        Hop hop,
        address tokenIn,
        address tokenOut,
        uint256[] memory held,
        bool paid,
        address to
    ) private {
        if (tokenIn == tokenOut) revert HopSameToken(tokenIn);
        uint256 amountIn = held[hop.tokenIn()];
        if (hop.share() == 0) {
            held[hop.tokenIn()] = 0;
        } else {
            uint256 part = amountIn * hop.share() / SHARE_ONE;
            held[hop.tokenIn()] = amountIn - part;
            amountIn = part;
        }
        if (amountIn == 0) return;

        address pool = hop.pool();
        Tokens.requireCode(pool);
        if (hop.isPaidBefore() && !paid) Tokens.transfer(tokenIn, pool, amountIn);
        if (to != address(this) && hop.isPaidBefore()) {
            // From pair to pair: the one that is paid judges for itself whether as much came.
            held[hop.tokenOut()] = _swap(hop, tokenIn, tokenOut, amountIn, to);
            return;
        }
        uint256 beforeHop = Tokens.balanceOf(tokenOut, to);
        _swap(hop, tokenIn, tokenOut, amountIn, to);
        uint256 afterHop = Tokens.balanceOf(tokenOut, to);
        // Nothing of this token may mean something of another, which would be stranded.
        if (afterHop <= beforeHop) revert NothingPaid(pool, tokenOut, beforeHop, afterHop);
        held[hop.tokenOut()] += afterHop - beforeHop;
    }

    /// @dev What was asked of a pair; 0 for other families, whose pools are not told an amount out.
    function _swap(Hop hop, address tokenIn, address tokenOut, uint256 amountIn, address to)
        private
        returns (uint256)
    {
        (address pool, bool zeroForOne) = (hop.pool(), hop.zeroForOne());
        uint256 opcode = hop.opcode();
        if (opcode == Hops.UNISWAP_V2) return UniswapV2.swap(pool, amountIn, zeroForOne, hop.feePpm(), to);
        if (opcode == Hops.SOLIDLY) return Solidly.swap(pool, tokenIn, amountIn, zeroForOne, to);
        if (opcode == Hops.UNISWAP_V3) _swapUniswapV3(pool, tokenIn, amountIn, zeroForOne, to);
        else if (opcode == Hops.ERC4626) Erc4626.swap(pool, tokenIn, amountIn, zeroForOne, to);
        else if (opcode == Hops.STEX) Stex.swap(pool, tokenIn, tokenOut, amountIn, zeroForOne);
        else Ladder.swap(pool, tokenIn, tokenOut, amountIn);
        return 0;
    }
}
