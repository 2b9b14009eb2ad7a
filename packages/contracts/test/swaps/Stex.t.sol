// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISovereignPool, SovereignPoolSwapParams} from "../../src/swaps/Stex.sol";
import {
    RatioFeeDouble,
    SovereignPoolDouble,
    StexDouble,
    StexFactoryDouble,
    WithdrawalDouble
} from "../../src/testing/StexDouble.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";

/// @title The hop through sovereign pools of the Stake Exchange, against our double.
contract StexTest is Base {
    StexDouble internal stex;
    SovereignPoolDouble internal pool;

    function setUp() public override {
        super.setUp();
        stex = StexDouble(new StexFactoryDouble().create(a, b, false));
        pool = stex.pool();
        pool.setPoolManagerFeeBips(2_000);
        RatioFeeDouble(pool.swapFeeModule()).setFee(RatioFeeDouble.FeeParams(5_000, 20_000, 1, 30));
        fund(alice, a, 1e30);
        fund(alice, b, 1e30);
    }

    function hop(address target, bool zeroForOne) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), Program.stex(0, 1, 0, target, zeroForOne));
    }

    /// The only selector that is called, computed from the signature in Valantis' interface.
    function test_callsTheSwapOfValantis() public pure {
        bytes32 text = keccak256(
            "swap((bool,bool,uint256,uint256,uint256,address,address,(bytes,bytes,bytes,bytes)))"
        );
        assertEq(ISovereignPool.swap.selector, bytes4(text));
    }

    /// Pays exactly by the formula, at any rate and size, both ways; no approval remains.
    function testFuzz_paysWhatTheFormulaSays(uint256 rate, uint256 amountIn, bool reverse) public {
        rate = bound(rate, 1e17, 1e19);
        amountIn = bound(amountIn, 1e6, 1e26);
        WithdrawalDouble(stex.withdrawalModule()).set(rate, 0, 0, 0);
        give(a, address(pool), 1e27);
        give(b, address(pool), 1e27);
        (address from, address to) = reverse ? (b, a) : (a, b);
        // Equal amounts of both tokens, so the ratio starts at 1, between the two thresholds.
        uint256 charged = 1 + 29 * ((1e27 + amountIn) * 1e4 / 1e27 - 5_000) / 15_000;
        uint256 net = reverse ? amountIn : amountIn * 1e4 / (1e8 / (1e4 - charged));
        uint256 expected = reverse ? net * 1e18 / rate : net * rate / 1e18;
        uint256 managers = (amountIn - net) * 2_000 / 1e4;
        bytes memory program = hop(address(pool), !reverse);
        vm.expectCall(from, abi.encodeCall(TestToken.approve, (address(pool), amountIn)), 1);
        vm.expectCall(from, abi.encodeCall(TestToken.approve, (address(pool), 0)), 1);
        assertEq(swap(from, amountIn, to, program), expected);
        assertEq(balance(from, address(pool)), 1e27 + amountIn - managers);
        assertEq(TestToken(from).allowance(address(executor), address(pool)), 0, "still approved");
        assertEmpty();
    }

    /// The call requests no callback, passes no data to modules, and has the current time as deadline.
    function test_asksForNothingElse() public {
        give(b, address(pool), 1e27);
        SovereignPoolSwapParams memory params;
        params.isZeroToOne = true;
        params.amountIn = 1e18;
        params.deadline = block.timestamp;
        params.recipient = address(executor);
        params.swapTokenOut = b;
        bytes memory program = hop(address(pool), true);
        vm.expectCall(address(pool), abi.encodeCall(ISovereignPool.swap, (params)), 1);
        swap(a, 1e18, b, program);
    }

    /// The pool reverts unless direction and token out match its tokens.
    function test_isRefusedByThePoolForOtherTokens() public {
        bytes memory program = hop(address(pool), true);
        vm.expectRevert(abi.encodeWithSelector(SovereignPoolDouble.WrongTokenOut.selector, c));
        swap(a, 1e18, c, program);
        vm.expectRevert(abi.encodeWithSelector(SovereignPoolDouble.WrongTokenOut.selector, a));
        swap(b, 1e18, a, program);
    }
}
