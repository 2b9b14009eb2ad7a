// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../src/interfaces/IExecutor.sol";
import {Tokens} from "../src/libraries/Tokens.sol";
import {TestToken} from "../src/testing/TestToken.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";
import {HostilePool} from "./hostile/HostilePool.sol";

/// @title The executor: how it runs programs, and which programs it refuses.
contract ExecutorTest is Base {
    uint256 internal constant AMOUNT = 10e18;
    bool internal ab;
    bool internal bc;
    bool internal ab3;
    bool internal bc3;

    function setUp() public override {
        super.setUp();
        fund(alice, a, 1_000e18);
        (ab, bc) = (isZero(pairAB, a), isZero(pairBC, b));
        (ab3, bc3) = (isZero(poolAB, a), isZero(poolBC, b));
    }

    function refuse(bytes memory program, bytes memory reason) private {
        vm.expectRevert(reason);
        swap(a, AMOUNT, b, program);
    }

    function test_acceptsOnlyItsRouter() public {
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NotRouter.selector, address(this)));
        executor.execute(a, 1, b, alice, address(executor), "");
    }

    function test_chain() public {
        uint256 middle = quoteV2(pairAB, a, AMOUNT);
        uint256 expected = quoteV3(poolBC, b, middle);
        bytes memory program =
            bytes.concat(Program.table(b), Program.v2(0, 2, 0, pairAB, ab, 3000), Program.v3(2, 1, 0, poolBC, bc3));
        assertEq(swap(a, AMOUNT, c, program), expected);
        assertEmpty();
    }

    /// A is split over two pools into B, and all of B over two pools into C.
    function test_fanOutAndFanIn() public {
        uint256 first = AMOUNT * Program.HALF / 0xFFFFFF;
        uint256 middle = quoteV2(pairAB, a, first) + quoteV3(poolAB, a, AMOUNT - first);
        uint256 second = middle * 0x123456 / 0xFFFFFF;
        uint256 expected = quoteV2(pairBC, b, second) + quoteV3(poolBC, b, middle - second);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.v2(0, 2, Program.HALF, pairAB, ab, 3000),
            Program.v3(0, 2, Program.ALL, poolAB, ab3),
            Program.v2(2, 1, 0x123456, pairBC, bc, 3000),
            Program.v3(2, 1, Program.ALL, poolBC, bc3)
        );
        assertEq(swap(a, AMOUNT, c, program), expected);
        assertEmpty();
    }

    /// A share is of what remains, rounded down; the last hop takes the rest to the wei.
    function testFuzz_sharesAddUp(uint256 amountIn, uint24 share) public {
        amountIn = bound(amountIn, 1e6, 900e18);
        share = uint24(bound(share, 1, 0xFFFFFF));
        uint256 first = amountIn * share / 0xFFFFFF;
        uint256 expected = first == 0 ? 0 : quoteV2(pairAB, a, first);
        uint256 rest = amountIn > first ? quoteV3(poolAB, a, amountIn - first) : 0;
        // A hop that takes input and pays nothing is refused.
        vm.assume((first == 0 || expected != 0) && (amountIn == first || rest != 0));
        expected += rest;
        bytes memory program = bytes.concat(
            Program.table(), Program.v2(0, 1, share, pairAB, ab, 3000), Program.v3(0, 1, 0, poolAB, ab3)
        );
        assertEq(swap(a, amountIn, b, program), expected);
        assertEmpty();
    }

    /// 0xFFFFFF also sells everything, so the next hop finds no input and is skipped.
    function test_skipsAHopWithoutInput() public {
        uint256 expected = quoteV2(pairAB, a, AMOUNT);
        bytes memory program = bytes.concat(
            Program.table(c),
            Program.v2(0, 1, 0xFFFFFF, pairAB, ab, 3000),
            Program.v3(0, 1, 0, poolAB, ab3),
            Program.v2(2, 1, 0, address(0xdead), true, 3000)
        );
        assertEq(swap(a, AMOUNT, b, program), expected);
    }

    /// The router does not pay the pool of a first hop that sells another token than the token in.
    function test_aFirstHopOfAnotherTokenIsNotPaid() public {
        uint256 expected = quoteV2(pairAB, a, AMOUNT);
        bytes memory program = bytes.concat(
            Program.table(c), Program.v2(2, 1, 0, pairBC, !bc, 3000), Program.v2(0, 1, 0, pairAB, ab, 3000)
        );
        assertEq(swap(a, AMOUNT, b, program), expected);
        assertEmpty();
    }

    function test_refusesAHopCutByOneByte() public {
        bytes memory program = hopV2(pairAB, a);
        uint256 length = program.length - 1;
        assembly { mstore(program, length) }
        refuse(program, abi.encodeWithSelector(IExecutor.ProgramTruncated.selector, 1, 30, length));
    }

    function test_refusesALeftoverOfTheInput() public {
        uint256 left = AMOUNT - AMOUNT * Program.HALF / 0xFFFFFF;
        refuse(
            bytes.concat(Program.table(), Program.v2(0, 1, Program.HALF, pairAB, ab, 3000)),
            abi.encodeWithSelector(IExecutor.Leftover.selector, a, left)
        );
    }

    function test_refusesALeftoverInTheMiddle() public {
        uint256 first = AMOUNT * Program.HALF / 0xFFFFFF;
        uint256 stuck = quoteV2(pairAB, a, first);
        bytes memory program = bytes.concat(
            Program.table(b, c),
            Program.v2(0, 2, Program.HALF, pairAB, ab, 3000),
            Program.v2(0, 1, 0, pairAW, isZero(pairAW, a), 3000)
        );
        vm.expectRevert(abi.encodeWithSelector(IExecutor.Leftover.selector, b, stuck));
        swap(a, AMOUNT, whype, program);
    }

    /// A share rounds down, so a hop that sells nearly all of 1,000 wei leaves one.
    function test_refusesALeftoverOfOneWei() public {
        uint24 nearlyAll = 0xFFFFFE;
        uint256 sold = 1000 * uint256(nearlyAll) / 0xFFFFFF;
        assertEq(sold, 999);
        bytes memory left = bytes.concat(Program.table(), Program.v2(0, 1, nearlyAll, pairAB, ab, 3000));
        vm.expectRevert(abi.encodeWithSelector(IExecutor.Leftover.selector, a, 1));
        swap(a, 1000, b, left);
        bytes memory stuck = bytes.concat(
            Program.table(b), Program.v3(0, 2, 0, poolAB, ab3), Program.v2(2, 1, nearlyAll, pairBC, bc, 3000)
        );
        vm.expectRevert(abi.encodeWithSelector(IExecutor.Leftover.selector, b, 1));
        swap(a, 1000, c, stuck);
    }

    function test_refusesNoHops() public {
        bytes memory reason = abi.encodeWithSelector(IExecutor.NoHops.selector);
        refuse("", reason);
        refuse(Program.table(), reason);
        refuse(Program.table(c), reason);
    }

    function test_refusesUnknownOpcodes() public {
        bool[256] memory isKnown;
        uint8[] memory opcodes = Program.opcodes();
        for (uint256 i = 0; i < opcodes.length; i++) {
            isKnown[opcodes[i]] = true;
            // With a least rate, which a payment has not.
            isKnown[opcodes[i] | 0x80] = opcodes[i] != 32;
        }
        for (uint256 opcode = 0; opcode < 256; opcode++) {
            if (isKnown[opcode]) continue;
            refuse(
                bytes.concat(
                    Program.table(),
                    abi.encodePacked(uint8(0), uint8(1), uint24(0), uint8(opcode), pairAB, ab, uint24(3000), uint64(1))
                ),
                abi.encodeWithSelector(IExecutor.UnknownOpcode.selector, opcode)
            );
        }
    }

    function test_refusesUnknownTokens() public {
        refuse(
            bytes.concat(Program.table(), Program.v2(2, 1, 0, pairAB, ab, 3000)),
            abi.encodeWithSelector(IExecutor.BadTokenIndex.selector, 2, 2)
        );
        refuse(
            bytes.concat(Program.table(c), Program.v2(0, 255, 0, pairAB, ab, 3000)),
            abi.encodeWithSelector(IExecutor.BadTokenIndex.selector, 255, 3)
        );
        refuse(
            bytes.concat(Program.table(c), Program.v2(0, 3, 0, pairAB, ab, 3000)),
            abi.encodeWithSelector(IExecutor.BadTokenIndex.selector, 3, 3)
        );
    }

    /// The indices of every hop are compared with the table, not only those of the first.
    function test_refusesUnknownTokensInALaterHop() public {
        bytes memory first = bytes.concat(Program.table(c), Program.v2(0, 1, Program.HALF, pairAB, ab, 3000));
        refuse(
            bytes.concat(first, Program.v2(3, 1, 0, pairAB, ab, 3000)),
            abi.encodeWithSelector(IExecutor.BadTokenIndex.selector, 3, 3)
        );
        refuse(
            bytes.concat(first, Program.v2(0, 3, 0, pairAB, ab, 3000)),
            abi.encodeWithSelector(IExecutor.BadTokenIndex.selector, 3, 3)
        );
    }

    function test_refusesOtherFlags() public {
        refuse(
            bytes.concat(
                Program.table(), abi.encodePacked(uint8(0), uint8(1), uint24(0), uint8(2), poolAB, uint8(2))
            ),
            abi.encodeWithSelector(IExecutor.BadFlag.selector, 2)
        );
    }

    function test_refusesAHopFromATokenToItself() public {
        refuse(
            bytes.concat(Program.table(), Program.v2(0, 0, 0, pairAB, ab, 3000)),
            abi.encodeWithSelector(IExecutor.HopSameToken.selector, a)
        );
        refuse(
            bytes.concat(Program.table(a), Program.v2(0, 2, 0, pairAB, ab, 3000)),
            abi.encodeWithSelector(IExecutor.HopSameToken.selector, a)
        );
    }

    function test_refusesPoolsWithoutCode() public {
        refuse(
            bytes.concat(Program.table(), Program.v2(0, 1, 0, address(0xdead), ab, 3000)),
            abi.encodeWithSelector(Tokens.NoCode.selector, address(0xdead))
        );
        refuse(
            bytes.concat(Program.table(), Program.v3(0, 1, 0, address(0xdead), ab)),
            abi.encodeWithSelector(Tokens.NoCode.selector, address(0xdead))
        );
    }

    function test_refusesTokensWithoutCodeOnTheWay() public {
        refuse(
            bytes.concat(Program.table(address(0xdead)), Program.v2(0, 2, 0, pairAB, ab, 3000)),
            abi.encodeWithSelector(Tokens.NoCode.selector, address(0xdead))
        );
    }

    /// The router, the executor, a token and the wrapped token (with its fallback) are refused as pools.
    function test_refusesWhatIsNoPool() public {
        address[5] memory targets = [address(router), address(executor), a, b, whype];
        for (uint256 i = 0; i < targets.length; i++) {
            for (uint256 v = 0; v < 2; v++) {
                bytes memory hop = v == 0
                    ? Program.v2(0, 1, 0, targets[i], ab, 3000)
                    : Program.v3(0, 1, 0, targets[i], ab);
                vm.expectRevert();
                swap(a, AMOUNT, b, bytes.concat(Program.table(), hop));
            }
        }
        assertEq(balance(a, alice), 1_000e18);
    }

    function test_refusesATableCutShort() public {
        refuse(
            abi.encodePacked(uint8(2), c, uint152(1)),
            abi.encodeWithSelector(IExecutor.ProgramTruncated.selector, 41, 27, 40)
        );
        refuse(hex"ff", abi.encodeWithSelector(IExecutor.ProgramTruncated.selector, 5101, 27, 1));
    }

    /// The longest possible token table, and its last index.
    function test_servesTheLongestTable() public {
        bytes memory program = abi.encodePacked(uint8(255));
        for (uint160 i = 0; i < 255; i++) {
            program = abi.encodePacked(program, address(i + 1 == 254 ? uint160(b) : 0x1000 + i));
        }
        program =
            bytes.concat(program, Program.v2(0, 255, 0, pairAB, ab, 3000), Program.v3(255, 1, 0, poolBC, bc3));
        uint256 expected = quoteV3(poolBC, b, quoteV2(pairAB, a, AMOUNT));
        assertEq(swap(a, AMOUNT, c, program), expected);
    }

    /// A token that is named twice has two accounts; each must balance separately.
    function test_tokenNamedTwiceIsTwoAccounts() public {
        uint256 middle = quoteV2(pairAB, a, AMOUNT);
        bytes memory program = bytes.concat(
            Program.table(b, b), Program.v2(0, 2, 0, pairAB, ab, 3000), Program.v2(3, 1, 0, pairBC, bc, 3000)
        );
        vm.expectRevert(abi.encodeWithSelector(IExecutor.Leftover.selector, b, middle));
        swap(a, AMOUNT, c, program);
    }

    /// A cycle through the token it started with works, and pays what the pools pay.
    function test_cyclesAreAllowed() public {
        uint256 id = vm.snapshotState();
        uint256 x = swap(a, AMOUNT, b, hopV2(pairAB, a));
        fund(alice, b, 0);
        uint256 y = swap(b, x, a, hopV3(poolAB, b));
        uint256 expected = swap(a, y, whype, hopV2(pairAW, a));
        vm.revertToState(id);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.v2(0, 2, 0, pairAB, ab, 3000),
            Program.v3(2, 0, 0, poolAB, !ab3),
            Program.v2(0, 1, 0, pairAW, isZero(pairAW, a), 3000)
        );
        assertEq(swap(a, AMOUNT, whype, program), expected);
    }

    /// A donated balance is not paid out, disturbs no swap, and is not taken by a later swap.
    function testFuzz_donationsStay(uint256 gift, uint256 amountIn) public {
        gift = bound(gift, 1, 1_000_000e18);
        amountIn = bound(amountIn, 1e6, 1_000e18);
        address[4] memory tokens = [a, b, c, whype];
        for (uint256 i = 0; i < tokens.length; i++) {
            give(tokens[i], address(executor), gift);
            give(tokens[i], address(router), gift);
        }
        deal(address(router), gift);
        uint256 expected = quoteV2(pairAW, a, amountIn);
        assertEq(swap(a, amountIn, NATIVE, hopV2(pairAW, a)), expected);
        for (uint256 i = 0; i < tokens.length; i++) {
            assertEq(balance(tokens[i], address(executor)), gift);
            assertEq(balance(tokens[i], address(router)), gift);
        }
        assertEq(address(router).balance, gift);
    }

    function test_cannotSpendADonation() public {
        TestToken(b).mint(address(executor), 100e18);
        // The executor owns some B, but not from this call, so the hop has no input and is skipped.
        vm.expectRevert(abi.encodeWithSelector(IExecutor.Leftover.selector, a, AMOUNT));
        swap(a, AMOUNT, c, bytes.concat(Program.table(b), Program.v2(2, 1, 0, pairBC, bc, 3000)));
        assertEq(balance(b, address(executor)), 100e18);
    }

    /// A pair and a V3 pool pay their output directly to the next pair.
    function test_passesOn() public {
        uint256 id = vm.snapshotState();
        uint256 viaPair = quoteV2(pairBC, b, quoteV2(pairAB, a, 1e18));
        uint256 viaPool = quoteV2(pairBC, b, quoteV3(poolAB, a, 1e18));
        bytes memory last = Program.v2(2, 1, 0, pairBC, isZero(pairBC, b), 3000);
        bytes[2] memory first = [
            Program.v2(0, 2, 0, pairAB, isZero(pairAB, a), 3000), Program.v3(0, 2, 0, poolAB, isZero(poolAB, a))
        ];
        vm.expectCall(b, abi.encodeWithSelector(TestToken.transfer.selector), 2);
        for (uint256 i = 0; i < 2; i++) {
            assertEq(swap(a, 1e18, c, bytes.concat(Program.table(b), first[i], last)), i == 0 ? viaPair : viaPool);
            assertEmpty();
            vm.revertToState(id);
        }
    }

    /// A pool whose call names no receiver pays the executor, which pays the next pair.
    function test_paysAPairForAPoolThatCannot() public {
        HostilePool pool = new HostilePool();
        give(b, address(pool), 1e18);
        pool.add(a, abi.encodeCall(TestToken.transferFrom, (address(executor), address(pool), AMOUNT)));
        pool.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 1e18)));
        uint256 expected = quoteV2(pairBC, b, 1e18);
        bytes memory last = Program.v2(2, 1, 0, pairBC, bc, 3000);
        uint256 id = vm.snapshotState();
        uint8[4] memory opcodes = [5, 6, 7, 11];
        for (uint256 i = 0; i < opcodes.length; i++) {
            bytes memory first = Program.hop(opcodes[i], 0, 2, 0, address(pool));
            assertEq(swap(a, AMOUNT, c, bytes.concat(Program.table(b), first, last)), expected);
            vm.revertToState(id);
        }
    }

    /// Two hops through one pair: a payment of the pair to itself would be lost to the swap.
    function test_neverPassesOnToTheSamePair() public {
        bytes memory program = bytes.concat(
            Program.table(b, a),
            Program.v2(0, 2, 0, pairAB, ab, 3000),
            Program.v2(2, 3, 0, pairAB, !ab, 3000),
            Program.v3(3, 1, 0, poolAB, ab3)
        );
        assertGt(swap(a, 1e18, b, program), 0);
        assertEmpty();
    }

    /// Output goes to the executor if it already has some of the token, or if two hops sell the token.
    function test_passesOnOnlyAWhole() public {
        uint256 one = 1e18 * uint256(Program.HALF) / 0xFFFFFF;
        uint256 first = quoteV2(pairAB, a, one);
        uint256 second = quoteV3(poolAB, a, 1e18 - one);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.v2(0, 2, Program.HALF, pairAB, isZero(pairAB, a), 3000),
            Program.v3(0, 2, 0, poolAB, isZero(poolAB, a)),
            Program.v2(2, 1, 0, pairBC, isZero(pairBC, b), 3000)
        );
        assertEq(swap(a, 1e18, c, program), quoteOfUntouched(first + second));
        assertEmpty();
    }

    /// One wei that is held of the token is enough for that: what follows sells it too.
    function test_passesOnNothingBesideOneWei() public {
        uint256 amountIn = 0xFFFFFF;
        assertEq(quoteV2(pairAB, a, 1), 1);
        uint256 second = quoteV3(poolAB, a, amountIn - 1);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.v2(0, 2, 1, pairAB, ab, 3000),
            Program.v3(0, 2, 0, poolAB, ab3),
            Program.v2(2, 1, 0, pairBC, bc, 3000)
        );
        assertEq(swap(a, amountIn, c, program), quoteOfUntouched(1 + second));
        assertEmpty();
    }

    /// The output of the pair of b and c in its initial state.
    function quoteOfUntouched(uint256 amountIn) private pure returns (uint256) {
        return amountIn * 997 * 1_000e18 / (1_000e18 * 1000 + amountIn * 997);
    }
}
