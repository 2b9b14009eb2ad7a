// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../../src/libraries/Tokens.sol";
import {UniswapV3} from "../../src/swaps/UniswapV3.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {ChargingToken} from "../hostile/ChargingToken.sol";
import {HostilePool} from "../hostile/HostilePool.sol";
import {Oddity, WeirdToken} from "../hostile/WeirdToken.sol";

/// @title Where promise 6 of docs/security.md ends: tokens whose balances move by themselves.
/// @dev A gift is what somebody sent to the executor. Of an honest token nobody can take it
/// (`invariant06_…` in Named.t.sol). These tests show what becomes of it where the token is not honest.
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

    /// A pool that takes `amountIn` as a V3 pool does, and pays `PAID` of a token for it.
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

    /// The hop counts what the executor's balance rose by, and the growth of a gift is in that.
    function test_rebaseInsideAHop_paysAGiftsGrowthToTheCaller() public {
        stretching.mint(address(executor), GIFT);
        HostilePool pool = createPool(AMOUNT, address(stretching));
        pool.add(address(stretching), abi.encodeCall(WeirdToken.rebase, (2e18)));
        uint256 got = swap(a, AMOUNT, address(stretching), bytes.concat(Program.table(), hop(0, 1, 0, pool)));
        assertEq(got, 2 * PAID + GIFT);
        assertEq(stretching.balanceOf(alice), got);
        // What was given is there still; what it grew by is not.
        assertEq(stretching.balanceOf(address(executor)), GIFT);
    }

    /// The executor sends what its hops brought, and the charge on that comes out of the gift.
    function test_tokenThatChargesTheSender_eatsGifts() public {
        ChargingToken charging = new ChargingToken();
        HostilePool pool = createPool(AMOUNT, address(charging));
        // The pool is charged for its own transfer.
        charging.mint(address(pool), charging.chargeOn(PAID));
        bytes memory program = bytes.concat(Program.table(), hop(0, 1, 0, pool));
        // Without a gift nothing can pay the charge, and the swap is refused.
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(
                Tokens.TransferFailed.selector, address(charging), address(executor), alice, PAID
            )
        );
        router.swap(a, AMOUNT, address(charging), 1, alice, block.timestamp, program);
        charging.mint(address(executor), GIFT);
        assertEq(swap(a, AMOUNT, address(charging), program), PAID);
        assertEq(charging.balanceOf(address(executor)), GIFT - charging.chargeOn(PAID));
    }

    /// A token that rebases while a hop of two other tokens runs: no hop counts what it grew by.
    function test_rebaseDuringAnotherHop_strandsTheGrowth() public {
        uint256 half = AMOUNT * Program.HALF / 0xFFFFFF;
        HostilePool first = createPool(half, address(stretching));
        HostilePool other = createPool(AMOUNT - half, b);
        other.add(address(stretching), abi.encodeCall(WeirdToken.rebase, (2e18)));
        HostilePool last = createPool(PAID, b);
        bytes memory program = bytes.concat(
            Program.table(address(stretching)),
            hop(0, 2, Program.HALF, first),
            hop(0, 1, 0, other),
            hop(2, 1, 0, last)
        );
        assertEq(swap(a, AMOUNT, b, program), 2 * PAID);
        // Twice as much was there when the last hop sold what the first had brought.
        assertEq(stretching.balanceOf(address(last)), PAID);
        assertEq(stretching.balanceOf(address(executor)), PAID);
    }

    /// One that shrinks meanwhile leaves less than was counted: refused, or paid for out of a gift.
    function test_shrinkingDuringAnotherHop_isRefusedOrEatsGifts() public {
        uint256 half = AMOUNT * Program.HALF / 0xFFFFFF;
        HostilePool first = createPool(half, address(stretching));
        HostilePool other = createPool(AMOUNT - half, b);
        other.add(address(stretching), abi.encodeCall(WeirdToken.rebase, (5e17)));
        HostilePool last = createPool(PAID, b);
        bytes memory program = bytes.concat(
            Program.table(address(stretching)),
            hop(0, 2, Program.HALF, first),
            hop(0, 1, 0, other),
            hop(2, 1, 0, last)
        );
        uint256 id = vm.snapshotState();
        // The last pool is refused its payment, so it has not been paid.
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(UniswapV3.CallbackMissing.selector, address(last)));
        router.swap(a, AMOUNT, b, 1, alice, block.timestamp, program);
        vm.revertToState(id);
        stretching.mint(address(executor), GIFT);
        assertEq(swap(a, AMOUNT, b, program), 2 * PAID);
        assertEq(stretching.balanceOf(address(executor)), (GIFT + PAID) / 2 - PAID);
    }
}
