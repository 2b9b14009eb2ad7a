// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Callback} from "../../src/libraries/Callback.sol";
import {Tokens} from "../../src/libraries/Tokens.sol";
import {UniswapV3} from "../../src/swaps/UniswapV3.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {ChargingToken} from "../hostile/ChargingToken.sol";
import {HostilePool} from "../hostile/HostilePool.sol";
import {Oddity, WeirdToken} from "../hostile/WeirdToken.sol";

/// @title The limit of promise 6 of docs/security.md: tokens whose balances change without transfers.
/// @dev A gift is an amount that was sent to the executor outside a swap. If the token is honest, nobody
/// can take it (`invariant06_…` in Named.t.sol). These tests show the cases where it is not.
contract GiftsTest is Base {
    uint256 internal constant AMOUNT = 1e18;
    uint256 internal constant GIFT = 5e18;
    uint256 internal constant PAID = 7e15;
    WeirdToken internal stretching;

    function setUp() public override {
        super.setUp();
        fund(alice, a, AMOUNT);
        stretching = new WeirdToken(Oddity.None);
    }

    /// A pool that takes `amountIn` like a V3 pool, and pays `PAID` of a token.
    function createPool(uint256 amountIn, address token) private returns (HostilePool pool) {
        pool = new HostilePool();
        pool.add(
            address(executor),
            abi.encodeCall(UniswapV3.uniswapV3SwapCallback, (int256(amountIn), int256(amountIn), ""))
        );
        TestToken(token).mint(address(pool), PAID);
        pool.add(token, abi.encodeCall(TestToken.transfer, (address(executor), PAID)));
    }

    function hop(uint8 tokenIn, uint8 tokenOut, uint24 share, HostilePool pool)
        private
        pure
        returns (bytes memory)
    {
        return Program.v3(tokenIn, tokenOut, share, address(pool), true);
    }

    /// The hop counts the increase of the executor's balance, which includes the growth of a gift.
    function test_rebaseInsideAHop_paysAGiftsGrowthToTheCaller() public {
        stretching.mint(address(executor), GIFT);
        HostilePool pool = createPool(AMOUNT, address(stretching));
        pool.add(address(stretching), abi.encodeCall(WeirdToken.rebase, (2e18)));
        uint256 got = swap(a, AMOUNT, address(stretching), bytes.concat(Program.table(), hop(0, 1, 0, pool)));
        assertEq(got, 2 * PAID + GIFT);
        assertEq(stretching.balanceOf(alice), got);
        // The gift is still there, but without its growth.
        assertEq(stretching.balanceOf(address(executor)), GIFT);
    }

    /// The executor sends the whole output of its hops, so the charge is taken from the gift.
    function test_tokenThatChargesTheSender_eatsGifts() public {
        ChargingToken charging = new ChargingToken();
        HostilePool pool = createPool(AMOUNT, address(charging));
        // The pool is charged for its own transfer.
        charging.mint(address(pool), charging.chargeOn(PAID));
        bytes memory program = bytes.concat(Program.table(), hop(0, 1, 0, pool));
        // Without a gift the charge cannot be paid, and the swap reverts.
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(
                Tokens.TransferFailed.selector, address(charging), address(executor), alice, PAID
            )
        );
        router.swap(order(a, AMOUNT, address(charging), 1, alice, block.timestamp, program), program);
        charging.mint(address(executor), GIFT);
        assertEq(swap(a, AMOUNT, address(charging), program), PAID);
        assertEq(charging.balanceOf(address(executor)), GIFT - charging.chargeOn(PAID));
    }

    /// Half of A goes through `stretching`, the other half directly to B. The direct hop rebases
    /// `stretching` to `rate` while the first hop's output waits for the last hop.
    function createRebasingRoute(uint256 rate) private returns (bytes memory program, address last) {
        uint256 half = AMOUNT * Program.HALF / 0xFFFFFF;
        HostilePool first = createPool(half, address(stretching));
        HostilePool direct = createPool(AMOUNT - half, b);
        direct.add(address(stretching), abi.encodeCall(WeirdToken.rebase, (rate)));
        HostilePool second = createPool(PAID, b);
        program = bytes.concat(
            Program.table(address(stretching)),
            hop(0, 2, Program.HALF, first),
            hop(0, 1, 0, direct),
            hop(2, 1, 0, second)
        );
        last = address(second);
    }

    /// A token that grows during a hop of two other tokens: no hop counts the growth.
    function test_rebaseDuringAnotherHop_strandsTheGrowth() public {
        (bytes memory program, address last) = createRebasingRoute(2e18);
        assertEq(swap(a, AMOUNT, b, program), 2 * PAID);
        // The balance had doubled when the last hop sold the counted amount.
        assertEq(stretching.balanceOf(last), PAID);
        assertEq(stretching.balanceOf(address(executor)), PAID);
    }

    /// A token that shrinks during another hop leaves less than was counted: the swap reverts, or a gift
    /// pays the difference.
    function test_shrinkingDuringAnotherHop_isRefusedOrEatsGifts() public {
        (bytes memory program, address last) = createRebasingRoute(5e17);
        uint256 id = vm.snapshotState();
        // The payment in the last pool's callback fails, so the hop ends without a payment.
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackMissing.selector, last));
        router.swap(order(a, AMOUNT, b, 1, alice, block.timestamp, program), program);
        vm.revertToState(id);
        stretching.mint(address(executor), GIFT);
        assertEq(swap(a, AMOUNT, b, program), 2 * PAID);
        assertEq(stretching.balanceOf(address(executor)), (GIFT + PAID) / 2 - PAID);
    }
}
