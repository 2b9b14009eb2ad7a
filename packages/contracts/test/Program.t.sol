// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {IRouter} from "../src/interfaces/IRouter.sol";
import {Callback} from "../src/libraries/Callback.sol";
import {Native} from "../src/libraries/Native.sol";
import {Tokens} from "../src/libraries/Tokens.sol";
import {UniswapV2} from "../src/swaps/UniswapV2.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";

/// @title Malformed and random programs.
contract ProgramTest is Base {
    uint256 internal constant AMOUNT = 10e18;
    bytes internal good;
    uint256 internal expected;

    function setUp() public override {
        super.setUp();
        fund(alice, a, 1_000e18);
        give(c, alice, 1);
        good = bytes.concat(
            Program.table(b),
            Program.v2(0, 2, Program.HALF, pairAB, isZero(pairAB, a), 3000),
            Program.v3(0, 2, 0, poolAB, isZero(poolAB, a)),
            Program.v3(2, 1, 0, poolBC, isZero(poolBC, b))
        );
        uint256 id = vm.snapshotState();
        uint256 amountOut = swap(a, AMOUNT, c, good);
        vm.revertToState(id);
        expected = amountOut;
    }

    /// Runs a program; a refusal must have a typed reason and leave the state unchanged.
    function run(bytes memory program) private returns (uint256 amountOut) {
        vm.prank(alice);
        try router.swap(order(a, AMOUNT, c, 1, alice, block.timestamp, program), program) returns (uint256 result) {
            amountOut = result;
            assertEq(balance(c, alice), 1 + result);
            assertEq(balance(a, alice), 1_000e18 - AMOUNT);
        } catch (bytes memory reason) {
            // A pool without the function that is called reverts without data.
            assertTrue(reason.length == 0 || isTyped(bytes4(reason)), vm.toString(reason));
            assertEq(balance(c, alice), 1);
            assertEq(balance(a, alice), 1_000e18);
        }
        assertEmpty();
    }

    function isTyped(bytes4 selector) private pure returns (bool) {
        bytes4[19] memory known = [
            IExecutor.ProgramTruncated.selector,
            IExecutor.NoHops.selector,
            IExecutor.UnknownOpcode.selector,
            IExecutor.BadFlag.selector,
            IExecutor.BadTokenIndex.selector,
            IExecutor.HopSameToken.selector,
            IExecutor.NothingPaid.selector,
            IExecutor.Leftover.selector,
            IExecutor.PaymentTokens.selector,
            IExecutor.PaymentTooHigh.selector,
            IExecutor.PaymentRefused.selector,
            IRouter.AmountOutTooLow.selector,
            Tokens.NoCode.selector,
            UniswapV2.FeeTooHigh.selector,
            Callback.InputNotTaken.selector,
            Native.NotWrappedNative.selector,
            // Error(string), the reverts of the pools themselves.
            bytes4(0x08c379a0),
            Tokens.TransferFailed.selector,
            Tokens.BalanceUnreadable.selector
        ];
        for (uint256 i = 0; i < known.length; i++) {
            if (selector == known[i]) return true;
        }
        return false;
    }

    /// The example in docs/program.md has the bytes that its text describes.
    function test_documentedExample() public view {
        bytes memory example = bytes.concat(
            Program.table(address(bytes20(hex"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"))),
            Program.v3(0, 1, 0x999999, address(bytes20(hex"1111111111111111111111111111111111111111")), true),
            Program.v2(0, 2, 0, address(bytes20(hex"2222222222222222222222222222222222222222")), true, 3000),
            Program.v3(2, 1, 0, address(bytes20(hex"3333333333333333333333333333333333333333")), false)
        );
        string memory page = vm.readFile("../../docs/program.md");
        string memory line = string.concat("\n", vm.toString(example), "\n");
        assertLt(vm.indexOf(page, line), bytes(page).length, line);
        line = string.concat(vm.toString(example.length), " bytes:");
        assertLt(vm.indexOf(page, line), bytes(page).length, line);
    }

    /// A hop that names another token than its pool pays would strand what is paid.
    function test_wrongTokenOut() public {
        bool z = isZero(pairAB, a);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.v2(0, 1, Program.HALF, pairAB, z, 3000),
            Program.v3(0, 2, 0, poolAB, isZero(poolAB, a)),
            Program.v3(2, 1, 0, poolBC, isZero(poolBC, b))
        );
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NothingPaid.selector, pairAB, c, 0, 0));
        router.swap(order(a, AMOUNT, c, 1, alice, block.timestamp, program), program);
    }

    /// A hop with the opcode of another family calls a function that the pool does not have.
    function test_otherFamily() public {
        bytes[2] memory hops = [
            Program.v3(0, 1, 0, pairBC, true), Program.v2(0, 1, 0, poolBC, true, 3000)
        ];
        for (uint256 i = 0; i < hops.length; i++) {
            bytes memory program = bytes.concat(Program.table(), hops[i]);
            vm.prank(alice);
            vm.expectRevert(bytes(""));
            router.swap(order(a, AMOUNT, c, 1, alice, block.timestamp, program), program);
        }
    }

    /// Every prefix of a good program is refused.
    function test_truncated() public {
        for (uint256 length = 0; length < good.length; length++) {
            bytes memory program = good;
            assembly {
                mstore(program, length)
            }
            uint256 id = vm.snapshotState();
            assertEq(run(program), 0, "a part was accepted");
            vm.revertToState(id);
        }
        assertEq(run(good), expected);
    }

    /// Bytes after a good program are refused, unless they are hops or payments without input.
    function testFuzz_extended(bytes memory tail) public {
        vm.assume(tail.length != 0);
        uint256 amountOut = run(bytes.concat(good, tail));
        assertTrue(amountOut == 0 || amountOut == expected);
        if (tail.length < 26) assertEq(amountOut, 0);
    }

    function testFuzz_random(bytes memory program) public {
        assertEq(run(program), 0);
    }

    /// Well-formed programs over the real tokens and pools, drawn at random: most are refused, some
    /// trade; none leaves anything behind.
    function testFuzz_randomHops(uint256 seed) public {
        address[4] memory pools = [pairAB, pairBC, poolAB, poolBC];
        bytes memory program = Program.table(b, whype);
        uint256 hops = 1 + seed % 5;
        for (uint256 i = 0; i < hops; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint24 share = seed & 1 == 0 ? 0 : uint24(seed >> 8);
            uint8 from = uint8((seed >> 32) % 4);
            uint8 to = uint8((seed >> 40) % 4);
            uint256 pool = (seed >> 48) % 4;
            bool zeroForOne = (seed >> 56) & 1 == 0;
            program = bytes.concat(
                program,
                pool < 2
                    ? Program.v2(from, to, share, pools[pool], zeroForOne, 3000)
                    : Program.v3(from, to, share, pools[pool], zeroForOne)
            );
        }
        run(program);
    }

    /// One byte of a good program changed: it pays as much, pays something else, or is refused.
    function testFuzz_flipped(uint256 at, bytes1 value) public {
        bytes memory program = good;
        program[bound(at, 0, program.length - 1)] = value;
        run(program);
    }
}
