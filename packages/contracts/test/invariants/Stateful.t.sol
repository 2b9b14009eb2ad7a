// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {Fixture} from "./Fixture.sol";

/// @title Stateful fuzzing of all actions in any order: no promise of docs/security.md breaks.
contract StatefulInvariantsTest is Test {
    Fixture internal fixture;
    address internal executor;
    bytes32 internal routerCode;
    bytes32 internal executorCode;

    function setUp() public {
        fixture = new Fixture();
        fixture.open();
        executor = address(fixture.executor());
        routerCode = address(fixture.router()).codehash;
        executorCode = executor.codehash;
        targetContract(address(fixture));
        bytes4[] memory selectors = new bytes4[](14);
        selectors[0] = Fixture.trade.selector;
        selectors[1] = Fixture.attack.selector;
        selectors[2] = Fixture.odd.selector;
        selectors[3] = Fixture.noise.selector;
        selectors[4] = Fixture.knock.selector;
        selectors[5] = Fixture.donate.selector;
        selectors[6] = Fixture.deliver.selector;
        selectors[7] = Fixture.malform.selector;
        selectors[8] = Fixture.dirty.selector;
        selectors[9] = Fixture.steal.selector;
        selectors[10] = Fixture.relay.selector;
        selectors[11] = Fixture.payments.selector;
        selectors[12] = Fixture.hire.selector;
        selectors[13] = Fixture.misname.selector;
        targetSelector(FuzzSelector(address(fixture), selectors));
    }

    function invariant_promisesHold() public view {
        assertEq(fixture.broken(), 0, "number of the broken promise");
        // 13: the two contracts cannot change.
        assertEq(address(fixture.router()).codehash, routerCode);
        assertEq(executor.codehash, executorCode);
    }

    function afterInvariant() public {
        fixture.report("Stateful");
    }

    /// Every action must succeed sometimes, because otherwise the invariant would test nothing.
    function test_everyActionSucceedsSometimes() public {
        for (uint256 i = 0; i < 160; i++) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            fixture.trade(seed, seed >> 128, i % 2 == 0);
            fixture.attack(seed, seed >> 128, uint8(i), uint24(i % 3 == 0 ? 0 : seed));
            fixture.odd(seed, seed >> 128, uint8(i), seed);
            fixture.deliver(seed, seed >> 128);
            fixture.malform(seed, seed >> 128, seed >> 64, bytes32(seed));
            fixture.dirty(seed, seed >> 128, seed >> 64, bytes32(seed));
            fixture.steal(seed, seed >> 128);
            fixture.relay(seed, seed >> 128, uint8(i));
            fixture.payments(seed, seed >> 128, uint8(i));
            fixture.hire(seed, seed >> 128, seed >> 96);
            fixture.misname(seed, seed >> 128, seed >> 96);
            fixture.knock(seed, abi.encodePacked(seed));
            fixture.donate(seed, seed);
        }
        invariant_promisesHold();
        assertGt(fixture.done("trade"), 40, "trade");
        assertGt(fixture.done("attack"), 40, "attack");
        assertGt(fixture.done("odd"), 10, "odd");
        assertGt(fixture.done("deliver"), 40, "deliver");
        assertGt(fixture.done("malform"), 2, "malform");
        assertGt(fixture.done("dirty"), 5, "dirty");
        assertGt(fixture.done("steal"), 20, "steal");
        assertGt(fixture.done("relay"), 10, "relay");
        assertGt(fixture.done("payments"), 30, "payments");
        assertGt(fixture.done("hire"), 20, "hire");
        assertGt(fixture.done("misname"), 5, "misname");
        assertGt(fixture.done("reentry tried"), 20, "reentry");
        assertGt(fixture.done("callback tried"), 20, "callback");
    }
}
