// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {DeployPermit2} from "permit2/test/utils/DeployPermit2.sol";
import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {UniswapV3} from "../../src/swaps/UniswapV3.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {Sign, Signing} from "../base/Sign.sol";
import {HostilePool} from "../hostile/HostilePool.sol";
import {Caller} from "../hostile/Receivers.sol";

/// @title Known attacks on other routers, tried on this one: only the caller ever pays.
contract KnownAttacksTest is Base {
    uint256 internal constant AMOUNT = 1e18;
    uint256 internal constant FORTUNE = 1e24;
    /// Has approved the router for every token without limit.
    address internal victim;
    uint256 internal victimKey;
    address internal thief = makeAddr("thief");
    HostilePool internal hostile;

    function setUp() public override {
        super.setUp();
        (victim, victimKey) = makeAddrAndKey("victim");
        address[4] memory tokens = [a, b, c, whype];
        for (uint256 i = 0; i < tokens.length; i++) fund(victim, tokens[i], FORTUNE);
        fund(thief, a, AMOUNT);
        hostile = new HostilePool();
    }

    /// Asserts that the victim lost nothing, and that the two contracts own nothing.
    function assertNothingTaken() private view {
        address[4] memory tokens = [a, b, c, whype];
        for (uint256 i = 0; i < tokens.length; i++) {
            assertEq(balance(tokens[i], victim), FORTUNE);
            assertLe(balance(tokens[i], thief), AMOUNT);
        }
        assertEmpty();
    }

    function attempt(address tokenIn, address tokenOut, bytes memory program) private returns (bool ok) {
        bytes memory data =
            abi.encodeCall(IRouter.swap, (order(tokenIn, AMOUNT, tokenOut, 1, thief, block.timestamp, program), program));
        // Limited gas, because code of old compilers burns all of it when it reverts.
        vm.prank(thief);
        (ok,) = address(router).call{gas: 2_000_000}(data);
    }

    function pullOfVictim() private view returns (bytes memory) {
        return abi.encodeCall(TestToken.transferFrom, (victim, thief, AMOUNT));
    }

    /// Sushi RouteProcessor2 (2023-04), Transit (2023-12): the thief's own pool in the route, which calls
    /// the callback and names the victim as payer, and tries to pull the victim's tokens.
    function test_fakePoolInTheRoute() public {
        bytes memory pay =
            abi.encodeCall(UniswapV3.uniswapV3SwapCallback, (int256(AMOUNT), int256(AMOUNT), abi.encode(victim, a)));
        hostile.add(address(executor), pay);
        hostile.add(address(executor), pay);
        hostile.add(a, pullOfVictim());
        hostile.add(b, pullOfVictim());
        TestToken(b).mint(address(hostile), 1);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 1)));
        assertTrue(attempt(a, b, bytes.concat(Program.table(), Program.v3(0, 1, 0, address(hostile), true))));
        // The pool was paid once, with its own caller's tokens.
        assertEq(balance(a, address(hostile)), AMOUNT);
        assertFalse(hostile.succeeded(1) || hostile.succeeded(2) || hostile.succeeded(3));
        assertEq(balance(a, thief), 0);
        assertNothingTaken();
    }

    /// ParaSwap Augustus v6 (2024-03): anyone calls the callback and names the payer in its data.
    function test_callbackWithAnotherPayer() public {
        string[4] memory names =
            ["uniswapV3SwapCallback", "hyperswapV3SwapCallback", "pancakeV3SwapCallback", "algebraSwapCallback"];
        bytes[3] memory payers = [abi.encode(victim), abi.encode(a, victim), abi.encodePacked(a, uint24(3000), b, victim)];
        for (uint256 i = 0; i < names.length; i++) {
            bytes4 selector = bytes4(keccak256(bytes.concat(bytes(names[i]), "(int256,int256,bytes)")));
            for (uint256 j = 0; j < payers.length; j++) {
                vm.prank(thief);
                (bool ok,) =
                    address(executor).call(abi.encodeWithSelector(selector, int256(AMOUNT), int256(AMOUNT), payers[j]));
                assertFalse(ok);
                vm.prank(thief);
                (ok,) = address(router).call(abi.encodeWithSelector(selector, int256(AMOUNT), int256(AMOUNT), payers[j]));
                assertFalse(ok);
            }
        }
        assertNothingTaken();
    }

    /// SwapNet and Aperture (2026-01), LI.FI, Socket, Unizen, Rubic, Dexible, Transit: a token instead of
    /// the pool, and `transferFrom(victim, …)` as the call.
    function test_tokenAsPool() public {
        address[5] memory targets = [a, b, c, whype, address(router)];
        uint8[] memory opcodes = Program.opcodes();
        for (uint256 i = 0; i < targets.length; i++) {
            for (uint256 j = 0; j < opcodes.length; j++) {
                bytes memory hop = Program.hop(opcodes[j], 0, 1, 0, targets[i]);
                assertFalse(attempt(a, b, bytes.concat(Program.table(), hop)));
                // Bytes of that call after the hop are read as hops, and are not valid hops.
                assertFalse(attempt(a, b, bytes.concat(Program.table(), hop, pullOfVictim())));
            }
        }
        assertEq(balance(a, thief), AMOUNT);
        assertNothingTaken();
    }

    /// A pool instead of a token: as token in, token out and intermediate token.
    function test_poolAsToken() public {
        assertFalse(attempt(pairAB, b, hopV2(pairAB, a)));
        assertFalse(attempt(address(hostile), b, hopV2(pairAB, a)));
        assertFalse(attempt(a, address(hostile), hopV2(pairAB, a)));
        bytes memory program = bytes.concat(
            Program.table(address(hostile)), Program.v2(0, 2, 0, pairAB, isZero(pairAB, a), 3000)
        );
        assertFalse(attempt(a, b, program));
        assertNothingTaken();
    }

    /// 1inch Fusion v1 (2025-03): bytes after the arguments, or lengths that extend to them, are treated as
    /// a trusted suffix.
    function test_forgedSuffix() public {
        bytes memory good = abi.encodeCall(
            IRouter.swap, (order(a, AMOUNT, b, 1, thief, block.timestamp, hopV2(pairAB, a)), hopV2(pairAB, a))
        );
        bytes[3] memory suffixes =
            [abi.encodePacked(victim), abi.encode(victim, a, FORTUNE), abi.encodePacked(uint256(32), victim)];
        uint256 id = vm.snapshotState();
        for (uint256 i = 0; i < suffixes.length; i++) {
            vm.prank(thief);
            (bool ok,) = address(router).call(bytes.concat(good, suffixes[i]));
            // The suffix is not read: the thief swapped the thief's own tokens.
            assertTrue(ok);
            assertEq(balance(a, thief), 0);
            assertEq(balance(a, victim), FORTUNE);
            vm.revertToState(id);
        }
        uint256[5] memory lengths =
            [type(uint256).max, type(uint256).max - 31, 1 << 255, 1 << 64, good.length + 1];
        for (uint256 word = 6; word < 8; word++) {
            for (uint256 i = 0; i < lengths.length; i++) {
                bytes memory forged = bytes.concat(good, abi.encode(victim, a, FORTUNE));
                uint256 length = lengths[i];
                assembly { mstore(add(add(forged, 36), mul(word, 32)), length) }
                vm.prank(thief);
                (bool ok,) = address(router).call(forged);
                assertFalse(ok);
            }
        }
        assertNothingTaken();
    }

    /// 0x Settler and Coinbase (2025): an account has approved the executor by mistake. No call can spend
    /// this approval.
    function test_approvalOnTheExecutor() public {
        address[4] memory tokens = [a, b, c, whype];
        for (uint256 i = 0; i < tokens.length; i++) {
            vm.prank(victim);
            TestToken(tokens[i]).approve(address(executor), type(uint256).max);
            vm.expectCall(tokens[i], abi.encodeWithSelector(TestToken.transferFrom.selector, victim), 0);
        }
        uint8[] memory opcodes = Program.opcodes();
        for (uint256 i = 0; i < tokens.length; i++) {
            for (uint256 j = 0; j < opcodes.length; j++) {
                bytes memory hop = Program.hop(opcodes[j], 0, 1, 0, tokens[i]);
                attempt(a, b, bytes.concat(Program.table(), hop));
            }
        }
        vm.startPrank(thief);
        (bool ok,) = address(executor).call(pullOfVictim());
        assertFalse(ok);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NotRouter.selector, thief));
        executor.execute(a, AMOUNT, a, thief, address(executor), "");
        vm.stopPrank();
        assertNothingTaken();
    }

    /// Reentry by the receiver when the native token arrives, through every entry point.
    function test_reentryThroughNativeReceive() public {
        Caller receiver = new Caller();
        fund(address(receiver), a, AMOUNT);
        bytes memory ab = hopV2(pairAB, a);
        bytes memory aw = hopV2(pairAW, a);
        bytes[3] memory again = [
            abi.encodeCall(IRouter.swap, (order(a, AMOUNT, b, 1, thief, block.timestamp, ab), ab)),
            abi.encodeCall(IRouter.swapWithPermit, (order(a, AMOUNT, b, 1, thief, block.timestamp, ab), ab, new bytes(65))),
            abi.encodeCall(IRouter.swapWithPermit2, (order(a, AMOUNT, b, 1, thief, block.timestamp, ab), ab, 0, new bytes(65)))
        ];
        for (uint256 i = 0; i < again.length; i++) {
            receiver.setCall(address(router), again[i]);
            uint256 id = vm.snapshotState();
            vm.prank(thief);
            router.swap(order(a, AMOUNT, NATIVE, 1, address(receiver), block.timestamp, aw), aw);
            assertTrue(receiver.called());
            assertEq(receiver.reason(), abi.encodeWithSelector(IRouter.Reentered.selector));
            vm.revertToState(id);
        }
        assertNothingTaken();
    }

    /// Multichain (2022): a token without permits that returns success for a permit, such as the wrapped
    /// native token, and a signature of another account.
    function test_somebodyElsesPermit() public {
        new DeployPermit2().run();
        vm.prank(victim);
        TestToken(whype).approve(Sign.PERMIT2, type(uint256).max);
        Signing memory what = Signing(whype, AMOUNT, address(router), 1, block.timestamp);
        bytes memory signature = Sign.permit2(victimKey, what);
        vm.startPrank(thief);
        vm.expectRevert();
        router.swapWithPermit2(order(whype, AMOUNT, NATIVE, 1, thief, block.timestamp, ""), "", 1, signature);
        vm.expectRevert();
        router.swapWithPermit(order(whype, AMOUNT, NATIVE, 1, thief, block.timestamp, ""), "", new bytes(65));
        vm.stopPrank();
        assertNothingTaken();
    }

    /// Squid (2026): the receiver or a token is one of the two contracts themselves.
    function test_theContractsAsPartsOfAnOrder() public {
        address[2] memory ours = [address(router), address(executor)];
        for (uint256 i = 0; i < ours.length; i++) {
            assertFalse(attempt(ours[i], b, hopV2(pairAB, a)));
            assertFalse(attempt(a, ours[i], hopV2(pairAB, a)));
            vm.prank(thief);
            vm.expectRevert(abi.encodeWithSelector(IRouter.ReceiverRefused.selector, ours[i]));
            router.swap(order(a, AMOUNT, b, 1, ours[i], block.timestamp, ""), "");
        }
        assertNothingTaken();
    }
}
