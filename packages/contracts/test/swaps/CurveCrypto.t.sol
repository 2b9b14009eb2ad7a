// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {ICryptoSwap} from "../../src/swaps/CurveCrypto.sol";
import {CryptoSettings, CurveCryptoDouble, CurveCryptoFactoryDouble} from "../../src/testing/CurveCryptoDouble.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";

/// @title The hop through Curve Twocrypto and Tricrypto pools, against our double.
contract CurveCryptoTest is Base {
    CurveCryptoDouble internal two;
    CurveCryptoDouble internal three;

    function setUp() public override {
        super.setUp();
        two = create(2);
        three = create(3);
        address[3] memory all = [a, b, c];
        for (uint256 k = 0; k < 3; k++) fund(alice, all[k], 1e30);
    }

    function create(uint256 count) private returns (CurveCryptoDouble pool) {
        (address[3] memory all, address[] memory coins) = ([a, b, c], new address[](count));
        (uint256[] memory ones, uint256[] memory scales) = (new uint256[](count), new uint256[](count - 1));
        for (uint256 k = 0; k < count; k++) (coins[k], ones[k]) = (all[k], 1);
        for (uint256 k = 1; k < count; k++) scales[k - 1] = 1e18;
        CryptoSettings memory settings = CryptoSettings(2_700_000, 1e15, 1e6, 1e7, 5e15, 1e12);
        pool = CurveCryptoDouble(new CurveCryptoFactoryDouble().create(coins, ones, scales, settings));
        for (uint256 k = 0; k < count; k++) give(coins[k], address(pool), 1e24);
        pool.fill();
    }

    function hop(address pool, uint8 i, uint8 j) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), Program.crypto(0, 1, 0, pool, i, j));
    }

    /// The only selector that is called, computed from the signature in Curve's contracts.
    function test_callsTheExchangeOfCurve() public pure {
        assertEq(
            ICryptoSwap.exchange.selector, bytes4(keccak256("exchange(uint256,uint256,uint256,uint256)"))
        );
    }

    /// Pays exactly the pool's quote, between any two coins; no approval remains.
    function testFuzz_paysWhatThePoolQuotes(uint256 amountIn, uint8 from, uint8 step, bool isOfTwo) public {
        amountIn = bound(amountIn, 1e16, 1e25);
        (uint8 i, uint8 j) = (from % 3, (from % 3 + 1 + step % 2) % 3);
        if (isOfTwo) (i, j) = (from % 2, 1 - from % 2);
        CurveCryptoDouble pool = isOfTwo ? two : three;
        (address tokenIn, address tokenOut) = (pool.coins(i), pool.coins(j));
        uint256 expected = pool.get_dy(i, j, amountIn);
        bytes memory program = hop(address(pool), i, j);
        vm.expectCall(tokenIn, abi.encodeCall(TestToken.approve, (address(pool), amountIn)), 1);
        vm.expectCall(tokenIn, abi.encodeCall(TestToken.approve, (address(pool), 0)), 1);
        assertEq(swap(tokenIn, amountIn, tokenOut, program), expected);
        assertEq(TestToken(tokenIn).allowance(address(executor), address(pool)), 0, "still approved");
        assertEq(balance(tokenIn, address(executor)), 0);
        assertEq(balance(tokenOut, address(executor)), 0);
    }

    /// Indices of other coins than the hop's tokens: the pool takes or pays none of them.
    function test_refusesIndicesOfOtherCoins() public {
        bytes memory program = hop(address(three), 0, 2);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(three), b, 0, 0));
        swap(a, 1e18, b, program);
        program = hop(address(three), 1, 2);
        vm.expectRevert();
        swap(a, 1e18, c, program);
        program = hop(address(three), 1, 1);
        vm.expectRevert(abi.encodeWithSelector(CurveCryptoDouble.WrongCoins.selector, 1, 1));
        swap(b, 1e18, c, program);
        program = hop(address(three), 3, 15);
        vm.expectRevert(abi.encodeWithSelector(CurveCryptoDouble.WrongCoins.selector, 3, 15));
        swap(b, 1e18, c, program);
    }
}
