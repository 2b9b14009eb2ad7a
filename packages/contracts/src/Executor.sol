// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "./interfaces/IExecutor.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {Hop, Hops} from "./libraries/Hops.sol";
import {LeastRate} from "./libraries/LeastRate.sol";
import {Native} from "./libraries/Native.sol";
import {Tokens} from "./libraries/Tokens.sol";
import {BalancerBuffer} from "./swaps/BalancerBuffer.sol";
import {BalancerV2} from "./swaps/BalancerV2.sol";
import {CurveCrypto} from "./swaps/CurveCrypto.sol";
import {CurveStableSwap} from "./swaps/CurveStableSwap.sol";
import {Erc4626} from "./swaps/Erc4626.sol";
import {InstantUnstake} from "./swaps/InstantUnstake.sol";
import {Ladder} from "./swaps/Ladder.sol";
import {LiquidityBook} from "./swaps/LiquidityBook.sol";
import {Solidly} from "./swaps/Solidly.sol";
import {Stex} from "./swaps/Stex.sol";
import {UniswapV2} from "./swaps/UniswapV2.sol";
import {UniswapV3} from "./swaps/UniswapV3.sol";
import {UniswapV4} from "./swaps/UniswapV4.sol";

/// @title Interpreter of programs: reads the hops of a program and performs them in order.
/// @dev Users approve only the router, never this contract. The executor spends only the amounts in
/// `held`, which it counts in memory for each call: the amount in, plus the measured output of each
/// hop. Any other balance of this contract is a donation: no program can spend it, and it changes no
/// result. A program chooses tokens, pools and amounts; this code fixes the functions that are called.
contract Executor is IExecutor, UniswapV3, BalancerBuffer, UniswapV4, InstantUnstake {
    /// @inheritdoc IExecutor
    address public immutable router;

    uint256 private constant SHARE_ONE = 0xFFFFFF;
    uint256 private constant PPM = 1_000_000;
    /// @dev The most that one payment takes of what is held: 1 %.
    uint256 private constant MAX_PAYMENT_PPM = 10_000;

    constructor(address router_) Native(IRouter(router_).wrappedNative()) {
        router = router_;
    }

    /// @inheritdoc IExecutor
    function execute(
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        address recipient,
        address payee,
        bytes calldata program
    ) external returns (uint256 amountOut) {
        if (msg.sender != router) revert NotRouter(msg.sender);
        (uint256 count, uint256 offset) = Hops.start(program);
        // The router has checked what this contract received. If another account was paid, only a first hop
        // that sells everything there leaves nothing to be taken from a gift.
        bool paid = payee != address(this);
        if (paid && !Hops.sellsAllAt(program, offset, payee)) revert NotFirstPool(payee);
        if (offset == program.length) {
            if (tokenIn != tokenOut) revert NoHops();
            amountOut = amountIn;
        } else {
            uint256[] memory held = new uint256[](count);
            held[0] = amountIn;
            _run(tokenIn, tokenOut, program, offset, held, paid);
            amountOut = held[1];
        }
        if (amountOut != 0) Tokens.transfer(tokenOut, recipient, amountOut);
    }

    /// @dev Performs every hop. Reverts if it ends with any token left except the token out. `paid` is
    /// true if the input of the hop is already in its pool: the router or the previous hop sent it there.
    function _run(
        address tokenIn,
        address tokenOut,
        bytes calldata program,
        uint256 offset,
        uint256[] memory held,
        bool paid
    ) private {
        Hop hop;
        (hop, offset) = Hops.read(program, offset, held.length);
        while (Hop.unwrap(hop) != 0) {
            Hop following;
            if (hop.opcode() == Hops.UNISWAP_V4) _keepRest(hop.restBefore(program, offset));
            uint256 leastRate = hop.leastRateBefore(program, offset);
            (following, offset) = Hops.read(program, offset, held.length);
            bool passesOn = following.takesFrom(hop) && held[hop.tokenOut()] == 0;
            _perform(
                hop,
                _tokenAt(hop.tokenIn(), tokenIn, tokenOut, program),
                _tokenAt(hop.tokenOut(), tokenIn, tokenOut, program),
                held,
                paid,
                passesOn ? following.pool() : address(this),
                leastRate
            );
            (hop, paid) = (following, passesOn);
        }
        for (uint256 i = 0; i < held.length; i++) {
            if (i != 1 && held[i] != 0) revert Leftover(_tokenAt(i, tokenIn, tokenOut, program), held[i]);
        }
    }

    /// @dev Looks up the token table: the two tokens of the order, then those of the program.
    function _tokenAt(uint256 index, address tokenIn, address tokenOut, bytes calldata program)
        private
        pure
        returns (address)
    {
        if (index == 0) return tokenIn;
        return index == 1 ? tokenOut : Hops.tokenAt(program, index - 2);
    }

    /// @dev Performs one hop. `to` receives the output: this contract, or the pool of the next hop.
    /// Reverts if the output is below `leastRate`, see `LeastRate`.
    function _perform(
        Hop hop,
        address tokenIn,
        address tokenOut,
        uint256[] memory held,
        bool paid,
        address to,
        uint256 leastRate
    ) private {
        if (hop.opcode() == Hops.PAY) return _pay(hop, tokenIn, held);
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
        if (to != address(this) && hop.namesAmountOut() && leastRate == 0) {
            // From pair to pair: the receiving pair itself checks that it was paid enough.
            held[hop.tokenOut()] = _swap(hop, tokenIn, tokenOut, amountIn, to);
            return;
        }
        uint256 beforeHop = Tokens.balanceOf(tokenOut, to);
        _swap(hop, tokenIn, tokenOut, amountIn, to);
        uint256 afterHop = Tokens.balanceOf(tokenOut, to);
        // A pool that paid none of this token may have paid another one, which would be stranded here.
        if (afterHop <= beforeHop) revert NothingPaid(pool, tokenOut, beforeHop, afterHop);
        uint256 amountOut = afterHop - beforeHop;
        if (leastRate != 0) {
            uint256 least = LeastRate.leastOut(leastRate, amountIn);
            if (amountOut < least) revert RateTooLow(pool, amountIn, amountOut, least);
        }
        held[hop.tokenOut()] += amountOut;
    }

    /// @dev Sends a part of what is held of one token to the address that the program names, such as the
    /// fee of an integrator. It comes before the floor, which the router checks at the receiver. This
    /// contract and its router are refused, because nobody could spend the amount there.
    function _pay(Hop hop, address token, uint256[] memory held) private {
        (uint256 index, uint256 ppm, address to) = (hop.tokenIn(), hop.share(), hop.pool());
        if (hop.tokenOut() != index) revert PaymentTokens(index, hop.tokenOut());
        if (ppm > MAX_PAYMENT_PPM) revert PaymentTooHigh(ppm);
        if (to == address(this) || to == router) revert PaymentRefused(to);
        uint256 amount = held[index] * ppm / PPM;
        if (amount == 0) return;
        held[index] -= amount;
        Tokens.transfer(token, to, amount);
    }

    /// @dev Calls the pool. Returns the amount out that was requested of a pair, or 0 for the other
    /// families, because their calls do not name an amount out.
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
        else if (opcode == Hops.LADDER) Ladder.swap(pool, tokenIn, tokenOut, amountIn);
        else if (opcode == Hops.LIQUIDITY_BOOK) LiquidityBook.swap(pool, zeroForOne, to);
        else if (opcode == Hops.BALANCER_V2) BalancerV2.swap(pool, tokenIn, tokenOut, amountIn, to);
        else if (opcode == Hops.BALANCER_V3) _swapBalancerV3(pool, tokenIn, tokenOut, amountIn);
        else if (opcode == Hops.BALANCER_BUFFER) _swapBalancerBuffer(pool, tokenIn, tokenOut, amountIn, zeroForOne);
        else if (opcode == Hops.UNISWAP_V4) _swapUniswapV4(hop, tokenIn, tokenOut, amountIn);
        else if (opcode == Hops.INSTANT_UNSTAKE) _swapInstantUnstake(pool, tokenIn, tokenOut, amountIn);
        else if (opcode == Hops.CURVE_CRYPTO) CurveCrypto.swap(pool, tokenIn, amountIn, hop.coinIn(), hop.coinOut());
        else CurveStableSwap.swap(pool, tokenIn, amountIn, hop.coinIn(), hop.coinOut());
        return 0;
    }
}
