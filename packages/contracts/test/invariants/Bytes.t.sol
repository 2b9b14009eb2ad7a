// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {ProgramFuzzer} from "./ProgramFuzzer.sol";

/// @title Stateful fuzzing with random bytes: no promise of docs/security.md breaks.
contract BytesInvariantsTest is Test {
    ProgramFuzzer internal fuzzer;

    function setUp() public {
        fuzzer = new ProgramFuzzer();
        fuzzer.open();
        targetContract(address(fuzzer));
        bytes4[] memory selectors = new bytes4[](4);
        selectors[0] = ProgramFuzzer.hops.selector;
        selectors[1] = ProgramFuzzer.scribble.selector;
        selectors[2] = ProgramFuzzer.call.selector;
        selectors[3] = ProgramFuzzer.shout.selector;
        targetSelector(FuzzSelector(address(fuzzer), selectors));
    }

    function invariant_promisesHold() public view {
        assertEq(fuzzer.broken(), 0, "number of the broken promise");
    }

    function afterInvariant() public {
        fuzzer.report("Bytes");
    }

    /// Some calls must succeed, because otherwise the invariant would test nothing.
    function test_someCallsSucceed() public {
        for (uint256 i = 0; i < 500; i++) fuzzer.hops(uint256(keccak256(abi.encode(i))), uint8(i));
        invariant_promisesHold();
        assertGt(fuzzer.served(), 5, "served");
    }
}
