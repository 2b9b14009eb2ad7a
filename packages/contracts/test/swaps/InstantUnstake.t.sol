// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {Native} from "../../src/libraries/Native.sol";
import {IStakingManager} from "../../src/swaps/InstantUnstake.sol";
import {InstantUnstakePoolDouble, StakingManagerDouble} from "../../src/testing/StakingManagerDouble.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {HostilePool} from "../hostile/HostilePool.sol";

/// @title The hop through a staking manager that unstakes at once, against our double.
contract InstantUnstakeTest is Base {
    uint256 internal constant AMOUNT = 1e18;

    StakingManagerDouble internal manager_;
    InstantUnstakePoolDouble internal pool;
    HostilePool internal hostile;
    Payer internal payer;

    function setUp() public override {
        super.setUp();
        manager_ = new StakingManagerDouble(a);
        pool = manager_.instantUnstakePool();
        pool.setInstantUnstakeFeeRate(10);
        deal(address(pool), 1e27);
        hostile = new HostilePool();
        payer = new Payer();
        deal(address(payer), 7);
        fund(alice, a, 1e30);
    }

    function hop(address manager) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), Program.instantUnstake(0, 1, 0, manager));
    }

    /// A hostile manager takes `amount` of the token in by its approval.
    function take(uint256 amount) private {
        hostile.add(a, abi.encodeCall(TestToken.transferFrom, (address(executor), address(hostile), amount)));
    }

    /// The only selector that is called, computed from the signature that the protocol publishes.
    function test_callsTheManagersUnstaking() public pure {
        assertEq(IStakingManager.instantUnstake.selector, bytes4(keccak256("instantUnstake(uint256,uint256)")));
    }

    /// Pays exactly by the formula, at any rate, fee and size, wrapped or not; no approval remains.
    function testFuzz_paysWhatTheFormulaSays(uint256 rate, uint256 bps, uint256 amountIn, bool wraps) public {
        rate = bound(rate, 1e17, 1e19);
        bps = bound(bps, 0, 5_000);
        amountIn = bound(amountIn, 1e6, 1e25);
        manager_.setTotals(rate * 1e18, 1e36);
        pool.setInstantUnstakeFeeRate(bps);
        uint256 expected = (amountIn - amountIn * bps / 1e4) * rate / 1e18;
        // What the executor got before this hop is not touched.
        deal(address(executor), 5e18);
        give(whype, address(executor), 4e18);
        bytes memory program = hop(address(manager_));
        vm.expectCall(a, abi.encodeCall(TestToken.approve, (address(manager_), amountIn)), 1);
        vm.expectCall(a, abi.encodeCall(TestToken.approve, (address(manager_), 0)), 1);
        vm.expectCall(address(manager_), abi.encodeCall(IStakingManager.instantUnstake, (amountIn, 1)), 1);
        assertEq(swap(a, amountIn, wraps ? whype : NATIVE, program), expected);
        assertEq(TestToken(a).allowance(address(executor), address(manager_)), 0, "still approved");
        assertEq(address(executor).balance, 5e18);
        assertEq(balance(whype, address(executor)), 4e18);
        assertEq(balance(a, address(executor)), 0);
    }

    /// Two hops in a row: the second one gets what the manager pays after the first.
    function test_splitsItsTokenBetweenTwoHops() public {
        bytes memory program = bytes.concat(
            Program.table(),
            Program.instantUnstake(0, 1, Program.HALF, address(manager_)),
            Program.instantUnstake(0, 1, 0, address(manager_))
        );
        uint256 paid = swap(a, AMOUNT, whype, program);
        assertEq(balance(whype, alice), paid);
        assertEq(1e27 - address(pool).balance, paid);
        assertEmpty();
    }

    /// The native token arrives from the pool or anyone else that the manager has pay, but only during the hop.
    function test_refusesTheNativeTokenAfterTheHop() public {
        swap(a, AMOUNT, whype, hop(address(manager_)));
        address[3] memory senders = [alice, address(manager_), address(pool)];
        for (uint256 i = 0; i < senders.length; i++) {
            deal(senders[i], 1);
            vm.prank(senders[i]);
            (bool ok, bytes memory reason) = address(executor).call{value: 1}("");
            assertFalse(ok);
            assertEq(reason, abi.encodeWithSelector(Native.NativeRefused.selector, senders[i]));
        }
    }

    /// Only what arrived is wrapped, and never a gift.
    function test_wrapsOnlyWhatArrives() public {
        deal(address(executor), 5e18);
        take(AMOUNT);
        bytes memory program = hop(address(hostile));
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), whype, 0, 0));
        swap(a, AMOUNT, whype, program);
        hostile.add(address(payer), abi.encodeCall(Payer.pay, (address(executor))));
        assertEq(swap(a, AMOUNT, whype, program), 7);
        assertEq(address(executor).balance, 5e18);
    }

    /// A hop to another token than the wrapped one would leave what it wraps behind.
    function test_refusesAnotherTokenOut() public {
        bytes memory program = hop(address(manager_));
        vm.expectRevert(abi.encodeWithSelector(Native.NotWrappedNative.selector, b));
        swap(a, AMOUNT, b, program);
    }

    /// The manager refuses, and the swap with it: an empty pool, less than its minimum, another token.
    function test_passesOnWhatTheManagerRefuses() public {
        bytes memory program = hop(address(manager_));
        manager_.setMinWithdrawalAmount(AMOUNT + 1);
        vm.expectRevert(StakingManagerDouble.BelowMinimum.selector);
        swap(a, AMOUNT, whype, program);
        manager_.setMinWithdrawalAmount(AMOUNT);
        deal(address(pool), AMOUNT * 9_990 / 10_000 - 1);
        vm.expectRevert(InstantUnstakePoolDouble.InsufficientBuffer.selector);
        swap(a, AMOUNT, whype, program);
        deal(address(pool), AMOUNT * 9_990 / 10_000);
        assertEq(swap(a, AMOUNT, whype, program), AMOUNT * 9_990 / 10_000);
        assertEq(address(pool).balance, 0);
    }
}

/// @title Pays all that it has to the account that its caller names.
contract Payer {
    function pay(address to) external {
        (bool ok,) = to.call{value: address(this).balance}("");
        require(ok, "refused");
    }
}
