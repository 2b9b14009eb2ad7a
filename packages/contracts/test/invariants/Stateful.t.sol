// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {World} from "./World.sol";

/// @title Any order of anything: no promise of docs/security.md breaks.
contract StatefulInvariantsTest is Test {
    World internal world;
    address internal executor;
    bytes32 internal routerCode;
    bytes32 internal executorCode;

    function setUp() public {
        world = new World();
        world.open();
        executor = address(world.executor());
        routerCode = address(world.router()).codehash;
        executorCode = executor.codehash;
        targetContract(address(world));
        bytes4[] memory selectors = new bytes4[](11);
        selectors[0] = World.trade.selector;
        selectors[1] = World.attack.selector;
        selectors[2] = World.odd.selector;
        selectors[3] = World.noise.selector;
        selectors[4] = World.knock.selector;
        selectors[5] = World.donate.selector;
        selectors[6] = World.deliver.selector;
        selectors[7] = World.malform.selector;
        selectors[8] = World.dirty.selector;
        selectors[9] = World.steal.selector;
        selectors[10] = World.relay.selector;
        targetSelector(FuzzSelector(address(world), selectors));
    }

    function invariant_promisesHold() public view {
        assertEq(world.broken(), 0, "the promise of this number");
        // 13: nothing about the two contracts can change.
        assertEq(world.router().executor(), executor);
        assertEq(address(world.router()).codehash, routerCode);
        assertEq(executor.codehash, executorCode);
    }

    /// The actions do get through, or the invariant would say nothing.
    function test_worldIsAlive() public {
        for (uint256 i = 0; i < 200; i++) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            world.trade(seed, seed >> 128, i % 2 == 0);
            world.attack(seed, seed >> 128, uint8(i), uint24(i % 3 == 0 ? 0 : seed));
            world.odd(seed, seed >> 128, uint8(i), seed);
            world.deliver(seed, seed >> 128);
            world.malform(seed, seed >> 128, seed >> 64, bytes32(seed));
            world.dirty(seed, seed >> 128, seed >> 64, bytes32(seed));
            world.steal(seed, seed >> 128);
            world.relay(seed, seed >> 128, uint8(i));
            world.knock(seed, abi.encodePacked(seed));
            world.donate(seed, seed);
        }
        invariant_promisesHold();
        assertGt(world.done("trade"), 50, "trade");
        assertGt(world.done("attack"), 50, "attack");
        assertGt(world.done("odd"), 10, "odd");
        assertGt(world.done("deliver"), 50, "deliver");
        assertGt(world.done("malform"), 2, "malform");
        assertGt(world.done("dirty"), 5, "dirty");
        assertGt(world.done("steal"), 20, "steal");
        assertGt(world.done("relay"), 10, "relay");
        assertGt(world.done("reentry tried"), 20, "reentry");
        assertGt(world.done("callback tried"), 20, "callback");
    }
}
