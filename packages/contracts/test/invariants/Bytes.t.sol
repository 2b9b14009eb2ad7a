// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {Scribe} from "./Scribe.sol";

/// @title Any bytes, in any order: no promise of docs/security.md breaks.
contract BytesInvariantsTest is Test {
    Scribe internal scribe;

    function setUp() public {
        scribe = new Scribe();
        scribe.open();
        targetContract(address(scribe));
        bytes4[] memory selectors = new bytes4[](4);
        selectors[0] = Scribe.hops.selector;
        selectors[1] = Scribe.scribble.selector;
        selectors[2] = Scribe.call.selector;
        selectors[3] = Scribe.shout.selector;
        targetSelector(FuzzSelector(address(scribe), selectors));
    }

    /// forge-config: nightly.invariant.runs = 14000
    function invariant_promisesHold() public view {
        assertEq(scribe.broken(), 0, "the promise of this number");
    }

    /// Some of it does get through, or the invariant would say nothing.
    function test_scribeIsRead() public {
        for (uint256 i = 0; i < 500; i++) scribe.hops(uint256(keccak256(abi.encode(i))), uint8(i));
        invariant_promisesHold();
        assertGt(scribe.served(), 5, "served");
    }
}
