// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {stdError} from "forge-std/StdError.sol";
import {IRouter} from "../src/interfaces/IRouter.sol";
import {SolidlyFactoryDouble, SolidlyPairDouble} from "../src/testing/SolidlyDouble.sol";
import {TestToken} from "../src/testing/TestToken.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";
import {Answerer} from "./hostile/Answerer.sol";

/// @title The refusals without a type, each by the name that docs/program.md gives it.
/// @dev They undo everything, as every refusal does; a caller cannot tell from the reason alone what
/// was wrong. None comes from a program that the encoder writes over pools that are what they seem.
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
        router.swap(a, amountIn, b, 1, alice, block.timestamp, bytes.concat(Program.table(), hop));
        vm.revertToState(id);
        assertEmpty();
    }

    /// Panic(0x11): a quoting pair that quotes nothing is asked for one wei less than that.
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

    /// Panic(0x11): a share of what is held, and the amount through a V2 pair, are products of 256 bits.
    function test_panic_productsPast256Bits() public {
        uint256 huge = 1 << 240;
        TestToken(a).mint(alice, huge);
        bytes memory share = Program.v3(0, 1, Program.HALF, poolAB, isZero(poolAB, a));
        refuse(huge, share, stdError.arithmeticError);
        bytes memory pair = Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 3000);
        refuse(huge, pair, stdError.arithmeticError);
    }

    /// Nothing: a contract that does not have the function it is asked for.
    function test_empty_otherFamily() public {
        refuse(AMOUNT, Program.v3(0, 1, 0, pairAB, isZero(pairAB, a)), "");
        refuse(AMOUNT, Program.v2(0, 1, 0, poolAB, isZero(poolAB, a), 3000), "");
        refuse(AMOUNT, Program.solidly(0, 1, 0, poolAB, isZero(poolAB, a)), "");
        refuse(AMOUNT, Program.stex(0, 1, 0, poolAB, isZero(poolAB, a)), "");
        refuse(AMOUNT, Program.ladder(0, 1, 0, poolAB, isZero(poolAB, a)), "");
    }

    /// Nothing: a pair whose answer is too short, or holds what its type does not.
    function test_empty_answerOfAnotherShape() public {
        address short = address(new Answerer(new bytes(31), false));
        refuse(AMOUNT, Program.solidly(0, 1, 0, short, true), "");
        refuse(AMOUNT, Program.v2(0, 1, 0, short, true, 3000), "");
        address wide = address(new Answerer(abi.encode(uint256(1 << 112), 1), false));
        refuse(AMOUNT, Program.v2(0, 1, 0, wide, true, 3000), "");
    }

    /// Nothing: arguments that are no addresses, and lengths that pass the end of the calldata.
    function test_empty_malformedCalldata() public {
        bytes memory good =
            abi.encodeCall(IRouter.swap, (a, AMOUNT, b, 1, alice, block.timestamp, hopV2(pairAB, a)));
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

    /// Nothing: a permit of a token without code, whose first pool is paid by the router.
    function test_empty_permitOfNoCode() public {
        address nobody = makeAddr("nobody");
        bytes memory program = hopV2(pairAB, a);
        vm.prank(alice);
        vm.expectRevert(bytes(""));
        router.swapWithPermit(nobody, AMOUNT, b, 1, alice, block.timestamp, program, new bytes(65));
    }

    /// Nothing: Permit2 where there is none.
    function test_empty_noPermit2() public {
        bytes memory program = hopV2(pairAB, a);
        vm.prank(alice);
        vm.expectRevert(bytes(""));
        router.swapWithPermit2(a, AMOUNT, b, 1, alice, block.timestamp, program, 0, new bytes(65));
    }

    /// The pool's own revert reason, typed or not, is passed on unchanged.
    function test_poolsOwnReason() public {
        refuse(
            1, Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 999_999),
            bytes(abi.encodeWithSignature("Error(string)", "UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT"))
        );
    }
}
