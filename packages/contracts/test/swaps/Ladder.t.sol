// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {LadderDouble, LadderFactoryDouble} from "../../src/testing/LadderDouble.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";

/// @title The hop through pools that pull their input by an approval, against our double.
contract LadderTest is Base {
    LadderDouble internal pool;

    function setUp() public override {
        super.setUp();
        pool = LadderDouble(new LadderFactoryDouble().createPool(a, b));
        fund(alice, a, 1e40);
        fund(alice, b, 1e40);
    }

    function hop(address target) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), Program.ladder(0, 1, 0, target, true));
    }

    function quoteOf(address tokenIn, address tokenOut, uint256 amountIn) private view returns (uint256) {
        uint256[] memory amounts = new uint256[](1);
        amounts[0] = amountIn;
        return pool.estimateSwapBatch(tokenIn, tokenOut, amounts)[0];
    }

    /// Pays exactly the pool's own estimate, at any price and depth, both ways; no approval remains.
    function testFuzz_paysWhatThePoolSays(uint256 depthA, uint256 depthB, uint256 amountIn, bool reverse)
        public
    {
        pool.setDepths(bound(depthA, 1, 1e30), bound(depthB, 1, 1e30));
        give(a, address(pool), 1e26);
        give(b, address(pool), 1e26);
        amountIn = bound(amountIn, 1, 1e30);
        (address from, address to) = reverse ? (b, a) : (a, b);
        uint256 expected = quoteOf(from, to, amountIn);
        bytes memory program = hop(address(pool));
        if (expected == 0) vm.expectRevert(abi.encodeWithSelector(LadderDouble.TooLittle.selector, 0, 1));
        uint256 paid = swap(from, amountIn, to, program);
        if (expected == 0) return;
        assertEq(paid, expected);
        assertEq(balance(from, address(pool)), 1e26 + amountIn);
        assertEq(TestToken(from).allowance(address(executor), address(pool)), 0, "still approved");
        assertEmpty();
    }

    /// The pool pays its caller, so the executor pays the next pair.
    function test_paysAPairByWayOfTheExecutor() public {
        pool.setDepths(1e30, 1e30);
        give(b, address(pool), 1e26);
        uint256 expected = quoteV2(pairBC, b, quoteOf(a, b, 1e18));
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.ladder(0, 2, 0, address(pool), true),
            Program.v2(2, 1, 0, pairBC, isZero(pairBC, b), 3000)
        );
        assertEq(swap(a, 1e18, c, program), expected);
        assertEmpty();
    }

    function test_isRefusedByThePoolForOtherTokens() public {
        bytes memory program = hop(address(pool));
        vm.expectRevert(abi.encodeWithSelector(LadderDouble.NotItsTokens.selector, a, c));
        swap(a, 1e18, c, program);
    }
}
