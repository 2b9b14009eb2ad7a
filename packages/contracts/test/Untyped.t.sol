// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {stdError} from "forge-std/StdError.sol";
import {IRouter} from "../src/interfaces/IRouter.sol";
import {SolidlyFactoryDouble, SolidlyPairDouble} from "../src/testing/SolidlyDouble.sol";
import {TestToken} from "../src/testing/TestToken.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";
import {GarbageToken} from "./hostile/GarbageToken.sol";

/// @title The reverts without a typed error, each under the name in docs/program.md.
/// @dev They revert everything like all others, but their reason does not name the cause. The encoder
/// never writes a program that causes one on honest pools.
contract UntypedTest is Base {
    uint256 internal constant AMOUNT = 1e18;

    function setUp() public override {
        super.setUp();
        fund(alice, a, AMOUNT);
    }

    function refuse(uint256 amountIn, bytes memory hop, bytes memory reason) private {
        uint256 id = vm.snapshotState();
        vm.prank(alice);
        vm.expectRevert(reason);
        router.swap(order(a, amountIn, b, 1, alice, block.timestamp, bytes.concat(Program.table(), hop)), bytes.concat(Program.table(), hop));
        vm.revertToState(id);
        assertEmpty();
    }

    /// Panic(0x11): a pair quotes 0, and the second attempt requests one wei less.
    function test_panic_quotesNothing() public {
        TestToken(a).initialize("A", "A", 18);
        TestToken(b).initialize("B", "B", 18);
        SolidlyPairDouble pair =
            SolidlyPairDouble(new SolidlyFactoryDouble(0).createPair(a, b, false));
        give(a, address(pair), 2 * AMOUNT);
        give(b, address(pair), AMOUNT);
        pair.mint(alice);
        refuse(1, Program.solidly(0, 1, 0, address(pair), isZero(address(pair), a)), stdError.arithmeticError);
    }

    /// Panic(0x11): amount times share, and the product of the V2 formula, must fit into 256 bits.
    function test_panic_productsPast256Bits() public {
        uint256 huge = 1 << 240;
        TestToken(a).mint(alice, huge);
        bytes memory share = Program.v3(0, 1, Program.HALF, poolAB, isZero(poolAB, a));
        refuse(huge, share, stdError.arithmeticError);
        bytes memory pair = Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 3000);
        refuse(huge, pair, stdError.arithmeticError);
    }

    /// Empty: the pool does not have the function that is called.
    function test_empty_otherFamily() public {
        refuse(AMOUNT, Program.v3(0, 1, 0, pairAB, isZero(pairAB, a)), "");
        refuse(AMOUNT, Program.v2(0, 1, 0, poolAB, isZero(poolAB, a), 3000), "");
        refuse(AMOUNT, Program.solidly(0, 1, 0, poolAB, isZero(poolAB, a)), "");
        refuse(AMOUNT, Program.stex(0, 1, 0, poolAB, isZero(poolAB, a)), "");
        refuse(AMOUNT, Program.ladder(0, 1, 0, poolAB, isZero(poolAB, a)), "");
    }

    /// Empty: the return data of a pair is too short, or a value is out of the range of its type.
    function test_empty_answerOfAnotherShape() public {
        address short = address(new GarbageToken(new bytes(31), false));
        refuse(AMOUNT, Program.solidly(0, 1, 0, short, true), "");
        refuse(AMOUNT, Program.v2(0, 1, 0, short, true, 3000), "");
        address wide = address(new GarbageToken(abi.encode(uint256(1 << 112), 1), false));
        refuse(AMOUNT, Program.v2(0, 1, 0, wide, true, 3000), "");
    }

    /// Empty: an argument is not an address, or a length exceeds the calldata.
    function test_empty_malformedCalldata() public {
        bytes memory good =
            abi.encodeCall(IRouter.swap, (order(a, AMOUNT, b, 1, alice, block.timestamp, hopV2(pairAB, a)), hopV2(pairAB, a)));
        for (uint256 word = 0; word < 8; word++) {
            // An amount, a floor and a deadline may be anything.
            if (word == 1 || word == 3 || word == 5) continue;
            bytes memory bad = bytes.concat(good);
            assembly { mstore(add(add(bad, 36), mul(word, 32)), not(0)) }
            vm.prank(alice);
            (bool ok, bytes memory reason) = address(router).call(bad);
            assertFalse(ok);
            assertEq(reason, "");
        }
    }

    /// Empty: the permit of a token without code, if the first pool is the payee: the router then reads no balance.
    function test_empty_permitOfNoCode() public {
        address nobody = makeAddr("nobody");
        bytes memory program = hopV2(pairAB, a);
        vm.prank(alice);
        vm.expectRevert(bytes(""));
        router.swapWithPermit(order(nobody, AMOUNT, b, 1, alice, block.timestamp, program), program, new bytes(65));
    }

    /// Empty: Permit2 on a chain without Permit2.
    function test_empty_noPermit2() public {
        bytes memory program = hopV2(pairAB, a);
        vm.prank(alice);
        vm.expectRevert(bytes(""));
        router.swapWithPermit2(order(a, AMOUNT, b, 1, alice, block.timestamp, program), program, 0, new bytes(65));
    }

    /// The pool's own revert reason, typed or not, is passed on unchanged.
    function test_poolsOwnReason() public {
        refuse(
            1, Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 999_999),
            bytes(abi.encodeWithSignature("Error(string)", "UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT"))
        );
    }
}
