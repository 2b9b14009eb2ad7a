// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {Callback} from "../../src/libraries/Callback.sol";
import {Tokens} from "../../src/libraries/Tokens.sol";
import {UniswapV3} from "../../src/swaps/UniswapV3.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {Accomplice, HostilePool} from "../hostile/HostilePool.sol";
import {Caller} from "../hostile/Receivers.sol";
import {Oddity, WeirdToken} from "../hostile/WeirdToken.sol";

/// @title The promises of docs/security.md, tested one by one under their numbers.
/// @dev The stateful suite in this folder tests them all together, in random order.
contract NamedInvariantsTest is Base {
    uint256 internal constant AMOUNT = 1e18;
    /// Has approved the router for everything, and makes no calls.
    address internal victim = makeAddr("victim");
    HostilePool internal hostile;
    bytes internal evil;
    bytes internal ab;

    function setUp() public override {
        super.setUp();
        address[4] memory tokens = [a, b, c, whype];
        for (uint256 i = 0; i < tokens.length; i++) {
            fund(victim, tokens[i], 1e24);
            fund(alice, tokens[i], 1e24);
        }
        fund(alice, NATIVE, 1e24);
        hostile = new HostilePool();
        evil = bytes.concat(Program.table(), Program.v3(0, 1, 0, address(hostile), true));
        ab = hopV2(pairAB, a);
    }

    function routerCall(address tokenIn, address tokenOut, address receiver, bytes memory program)
        private
        view
        returns (bytes memory)
    {
        return abi.encodeCall(
            IRouter.swap, (order(tokenIn, AMOUNT, tokenOut, 1, receiver, block.timestamp, program), program)
        );
    }

    function callback() private pure returns (bytes memory) {
        return abi.encodeCall(UniswapV3.uniswapV3SwapCallback, (int256(AMOUNT), int256(AMOUNT), ""));
    }

    function payOut() private {
        hostile.add(address(executor), callback());
        TestToken(b).mint(address(hostile), 7);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
    }

    function assertVictimUnharmed() private view {
        address[4] memory tokens = [a, b, c, whype];
        for (uint256 i = 0; i < tokens.length; i++) {
            assertEq(balance(tokens[i], victim), 1e24);
            assertEq(TestToken(tokens[i]).allowance(victim, address(router)), type(uint256).max);
        }
    }

    // 1. The payer is the caller, and pays the declared token and amount.

    function testFuzz_invariant01_payerIsTheCaller(uint256 amountIn, address caller) public {
        amountIn = bound(amountIn, 1, 1e24);
        vm.assume(caller != alice && caller != victim && uint160(caller) > 0xFF);
        // The two contracts never call the router, and are refused as receivers.
        vm.assume(caller != address(router) && caller != address(executor));
        vm.assume(balance(a, caller) == 0);
        vm.prank(caller);
        vm.expectRevert(
            abi.encodeWithSelector(Tokens.TransferFailed.selector, a, caller, pairAB, amountIn)
        );
        router.swap(order(a, amountIn, b, 1, caller, block.timestamp, ab), ab);
        assertVictimUnharmed();
    }

    function testFuzz_invariant01_exactlyTheDeclaredAmount(uint256 amountIn) public {
        amountIn = bound(amountIn, 1e4, 1e22);
        swap(a, amountIn, b, ab);
        assertEq(balance(a, alice), 1e24 - amountIn);
        assertEq(balance(c, alice), 1e24);
        assertEq(balance(whype, alice), 1e24);
        assertVictimUnharmed();
    }

    // 2. One transferFrom, by the router, before the executor runs.

    function test_invariant02_oneTransferFrom() public {
        vm.expectCall(
            a, abi.encodeCall(TestToken.transferFrom, (alice, address(executor), AMOUNT)), 1
        );
        vm.expectCall(a, abi.encodeWithSelector(TestToken.transferFrom.selector), 1);
        vm.expectCall(b, abi.encodeWithSelector(TestToken.transferFrom.selector), 0);
        vm.expectCall(c, abi.encodeWithSelector(TestToken.transferFrom.selector), 0);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.v2(0, 2, Program.HALF, pairAB, isZero(pairAB, a), 3000),
            Program.v3(0, 2, 0, poolAB, isZero(poolAB, a)),
            Program.v3(2, 1, 0, poolBC, isZero(poolBC, b))
        );
        swap(a, AMOUNT, c, program);
    }

    /// The program names every token as a pool: none of the victim's tokens can move.
    function test_invariant02_programsCannotPull() public {
        address[4] memory tokens = [a, b, c, whype];
        for (uint256 i = 0; i < tokens.length; i++) {
            vm.expectCall(
                tokens[i], abi.encodeWithSelector(TestToken.transferFrom.selector, victim), 0
            );
            bytes[2] memory hops = [
                Program.v2(0, 1, 0, tokens[i], true, 0), Program.v3(0, 1, 0, tokens[i], true)
            ];
            for (uint256 j = 0; j < hops.length; j++) {
                vm.expectRevert();
                swap(a, AMOUNT, b, bytes.concat(Program.table(), hops[j]));
            }
        }
        assertVictimUnharmed();
    }

    // 3. The caller names no selector. The executor keeps no approvals and no tokens. A hostile pool
    //    reaches only its caller's tokens.

    function test_invariant03_executorApprovesNobody() public {
        address[4] memory tokens = [a, b, c, whype];
        for (uint256 i = 0; i < tokens.length; i++) {
            vm.expectCall(tokens[i], abi.encodeWithSelector(TestToken.approve.selector), 0);
        }
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.v2(0, 2, Program.HALF, pairAB, isZero(pairAB, a), 3000),
            Program.v3(0, 2, 0, poolAB, isZero(poolAB, a)),
            Program.v3(2, 1, 0, poolBC, isZero(poolBC, b))
        );
        swap(a, AMOUNT, c, program);
    }

    function test_invariant03_hostilePoolReachesOnlyTheInFlightAmount() public {
        TestToken(a).mint(address(executor), 5e18);
        hostile.add(address(executor), callback());
        hostile.add(address(executor), callback());
        hostile.add(a, abi.encodeCall(TestToken.transferFrom, (address(executor), address(hostile), 5e18)));
        hostile.add(a, abi.encodeCall(TestToken.transferFrom, (alice, address(hostile), 5e18)));
        hostile.add(a, abi.encodeCall(TestToken.transferFrom, (victim, address(hostile), 5e18)));
        TestToken(b).mint(address(hostile), 7);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
        assertEq(swap(a, AMOUNT, b, evil), 7);
        assertEq(balance(a, address(hostile)), AMOUNT);
        assertEq(balance(a, address(executor)), 5e18);
        assertEq(balance(a, alice), 1e24 - AMOUNT);
        assertVictimUnharmed();
    }

    // 4. A callback is accepted only from the current pool, once, and is paid from the executor.

    function test_invariant04_callbackPaysFromTheExecutorOnce() public {
        Accomplice accomplice = new Accomplice();
        hostile.add(
            address(accomplice), abi.encodeCall(Accomplice.forward, (address(executor), callback()))
        );
        payOut();
        hostile.add(address(executor), callback());
        vm.expectCall(a, abi.encodeWithSelector(TestToken.transferFrom.selector), 1);
        swap(a, AMOUNT, b, evil);
        assertFalse(hostile.succeeded(0), "a stranger was paid");
        assertTrue(hostile.succeeded(1), "the pool was not paid");
        assertFalse(hostile.succeeded(3), "the pool was paid twice");
        vm.prank(address(hostile));
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackRefused.selector, address(hostile)));
        executor.uniswapV3SwapCallback(int256(AMOUNT), 0, "");
    }

    // 5. The receiver's balance increases by at least the floor; the floor is above 0; the deadline
    //    has not passed.

    function testFuzz_invariant05_floorHolds(uint256 amountIn, uint256 floor, address receiver) public {
        amountIn = bound(amountIn, 1e4, 1e22);
        vm.assume(receiver != address(router) && receiver != address(executor));
        vm.assume(receiver != address(0) && receiver != pairAB);
        uint256 expected = quoteV2(pairAB, a, amountIn);
        floor = bound(floor, 0, 2 * expected);
        uint256 before = balance(b, receiver);
        vm.prank(alice);
        try router.swap(order(a, amountIn, b, floor, receiver, block.timestamp, ab), ab) {
            assertGe(balance(b, receiver) - before, floor);
            assertGt(floor, 0);
        } catch {
            assertTrue(floor > expected || floor == 0);
            assertEq(balance(b, receiver), before);
        }
        vm.prank(alice);
        vm.expectPartialRevert(IRouter.DeadlinePassed.selector);
        router.swap(order(a, amountIn, b, 1, receiver, block.timestamp - 1, ab), ab);
    }

    /// A token that returns success but does not move: the executor has paid, the receiver got nothing.
    function test_invariant05_measuredAtTheReceiver() public {
        WeirdToken liar = new WeirdToken(Oddity.None);
        liar.mint(address(hostile), 7);
        hostile.add(address(executor), callback());
        hostile.add(address(liar), abi.encodeCall(WeirdToken.transfer, (address(executor), 7)));
        uint256 id = vm.snapshotState();
        assertEq(swap(a, AMOUNT, address(liar), evil), 7);
        vm.revertToState(id);
        hostile.add(
            address(liar), abi.encodeCall(WeirdToken.setOddity, (Oddity.LiesAboutMoving))
        );
        vm.expectRevert(abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, 1, 0));
        swap(a, AMOUNT, address(liar), evil);
    }

    /// A payment that does not come from the executor does not count towards the floor, because it may
    /// have been owed to the receiver anyway.
    function test_invariant05_aClaimIsNoOutput() public {
        payOut();
        TestToken(b).mint(address(hostile), 100);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (alice, 100)));
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, 8, 7));
        router.swap(order(a, AMOUNT, b, 8, alice, block.timestamp, evil), evil);
        assertEq(router.swap(order(a, AMOUNT, b, 7, alice, block.timestamp, evil), evil), 107);
    }

    // 6. The balances of both contracts are the same before and after.

    function testFuzz_invariant06_balancesUnchanged(uint256 gift, uint256 amountIn, uint24 share) public {
        gift = bound(gift, 0, 1e24);
        amountIn = bound(amountIn, 1e6, 1e21);
        address[4] memory tokens = [a, b, c, whype];
        for (uint256 i = 0; i < tokens.length; i++) {
            give(tokens[i], address(executor), gift);
            give(tokens[i], address(router), gift);
        }
        deal(address(router), gift);
        deal(address(executor), gift);
        bytes memory program = bytes.concat(
            Program.table(),
            Program.v3(0, 1, share == 0 ? 1 : share, poolAB, isZero(poolAB, a)),
            Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 3000)
        );
        vm.prank(alice);
        try router.swap(order(a, amountIn, b, 1, alice, block.timestamp, program), program) {} catch {}
        swap(NATIVE, amountIn, a, hopV2(pairAW, whype));
        swap(a, amountIn, NATIVE, hopV2(pairAW, a));
        for (uint256 i = 0; i < tokens.length; i++) {
            assertEq(balance(tokens[i], address(executor)), gift);
            assertEq(balance(tokens[i], address(router)), gift);
        }
        assertEq(address(router).balance, gift);
        assertEq(address(executor).balance, gift);
    }

    // 7. msg.value is the amount for the native token, 0 otherwise.

    function testFuzz_invariant07_value(uint256 value, bool native) public {
        value = bound(value, 0, 1e24);
        uint256 wanted = native ? AMOUNT : 0;
        bytes memory program = native ? hopV2(pairAW, whype) : ab;
        vm.prank(alice);
        if (value != wanted) {
            vm.expectRevert(abi.encodeWithSelector(IRouter.WrongValue.selector, wanted, value));
        }
        router.swap{value: value}(order(native ? NATIVE : a, AMOUNT, native ? a : b, 1, alice, block.timestamp, program), program);
        assertEq(alice.balance, value == wanted ? 1e24 - wanted : 1e24);
    }

    // 8. The receiver gets the whole output; the return value is the amount that arrived.

    function testFuzz_invariant08_surplusToTheReceiver(uint256 amountIn, uint256 floor) public {
        amountIn = bound(amountIn, 1e4, 1e22);
        uint256 expected = quoteV2(pairAB, a, amountIn);
        floor = bound(floor, 1, expected);
        vm.prank(alice);
        uint256 amountOut = router.swap(order(a, amountIn, b, floor, bob, block.timestamp, ab), ab);
        assertEq(amountOut, expected);
        assertEq(balance(b, bob), expected);
        assertEmpty();
    }

    /// Other payments to the receiver during the swap are part of the return value.
    function test_invariant08_returnsWhatArrived() public {
        payOut();
        TestToken(b).mint(address(hostile), 100);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (alice, 100)));
        uint256 before = balance(b, alice);
        vm.expectEmit(address(router));
        emit IRouter.Swap(alice, alice, a, b, AMOUNT, 107);
        assertEq(swap(a, AMOUNT, b, evil), 107);
        assertEq(balance(b, alice) - before, 107);
    }

    // 9. Reentry is refused.

    function test_invariant09_poolCannotReenter() public {
        // The pool owns tokens and has approved the router.
        fund(address(hostile), a, 1e24);
        hostile.add(address(router), routerCall(a, b, address(hostile), ab));
        hostile.add(
            address(executor), abi.encodeCall(IExecutor.execute, (a, AMOUNT, b, address(hostile), address(executor), ab))
        );
        payOut();
        swap(a, AMOUNT, b, evil);
        assertEq(hostile.reasons(0), abi.encodeWithSelector(IRouter.Reentered.selector));
        assertEq(
            hostile.reasons(1),
            abi.encodeWithSelector(IExecutor.NotRouter.selector, address(hostile))
        );
    }

    function test_invariant09_tokenCannotReenter() public {
        WeirdToken token = new WeirdToken(Oddity.CallsOut);
        fund(alice, address(token), 1e24);
        address pair = createV2(address(token), 1e24, b, 1e24);
        bytes memory program = hopV2(pair, address(token));
        token.setCall(address(router), routerCall(a, b, address(token), ab));
        swap(address(token), AMOUNT, b, program);
        assertTrue(token.calledOut());
        assertFalse(token.callSucceeded());
        assertEq(token.callReason(), abi.encodeWithSelector(IRouter.Reentered.selector));
        token.setCall(address(executor), callback());
        swap(address(token), AMOUNT, b, program);
        assertTrue(token.calledOut());
        assertFalse(token.callSucceeded());
    }

    function test_invariant09_receiverCannotReenter() public {
        Caller receiver = new Caller();
        fund(address(receiver), a, 1e24);
        receiver.setCall(address(router), routerCall(a, b, address(receiver), ab));
        bytes memory program = hopV2(pairAW, a);
        vm.prank(alice);
        router.swap(order(a, AMOUNT, NATIVE, 1, address(receiver), block.timestamp, program), program);
        assertTrue(receiver.called());
        assertFalse(receiver.succeeded());
        assertEq(receiver.reason(), abi.encodeWithSelector(IRouter.Reentered.selector));
    }

    /// The guard lasts for one call: a transaction may contain several swaps, even after a failed one.
    function test_invariant09_guardIsReleased() public {
        swap(a, AMOUNT, b, ab);
        vm.expectRevert(IRouter.MinAmountOutZero.selector);
        router.swap(order(a, AMOUNT, b, 0, alice, block.timestamp, ab), ab);
        swap(a, AMOUNT, b, ab);
    }

    // 10. Short, long, dirty or overlapping calldata either reverts or is harmless.

    function test_invariant10_shortCalldata() public {
        bytes memory good = routerCall(a, b, alice, ab);
        for (uint256 length = 0; length < good.length; length++) {
            bytes memory cut = routerCall(a, b, alice, ab);
            assembly {
                mstore(cut, length)
            }
            vm.prank(alice);
            (bool ok,) = address(router).call(cut);
            // The last bytes are padding of `program`, which is not read.
            assertEq(ok, length >= 4 + 10 * 32 + ab.length, vm.toString(length));
            if (ok) break;
        }
        assertVictimUnharmed();
    }

    /// Dirty upper bits of addresses, and offsets and lengths that point anywhere.
    function testFuzz_invariant10_dirtyCalldata(uint256 word, bytes32 value, bytes memory tail) public {
        bytes memory data = bytes.concat(routerCall(a, b, alice, ab), tail);
        word = bound(word, 0, 10);
        assembly {
            mstore(add(add(data, 36), mul(word, 32)), value)
        }
        vm.prank(alice);
        (bool ok,) = address(router).call(data);
        // Amounts and deadline may have any value, and the tail is not read; addresses must be clean.
        bool isAddress = word == 0 || word == 2 || word == 4 || word == 6 || word == 7;
        if (ok && isAddress) assertEq(uint256(value) >> 160, 0);
        assertLe(1e24 - balance(a, alice), 1e24);
        assertVictimUnharmed();
        assertEmpty();
    }

    // 11. Odd tokens are handled; tokens without code are refused.

    function test_invariant11_weirdTokens() public {
        Oddity[3] memory served = [Oddity.None, Oddity.ReturnsNothing, Oddity.ReturnsLong];
        for (uint256 i = 0; i < served.length; i++) {
            assertTrue(tryToken(served[i]), "refused");
        }
        Oddity[10] memory refused = [
            Oddity.ReturnsFalse,
            Oddity.ReturnsTwo,
            Oddity.ReturnsShort,
            Oddity.LiesAboutMoving,
            Oddity.TakesFee,
            Oddity.MovesLess,
            Oddity.MovesMore,
            Oddity.Reverts,
            Oddity.BalanceReverts,
            Oddity.BalanceShort
        ];
        for (uint256 i = 0; i < refused.length; i++) {
            assertFalse(tryToken(refused[i]), "served");
        }
        for (uint256 i = 0; i < 3; i++) {
            WeirdToken token = new WeirdToken(refused[i]);
            fund(alice, address(token), AMOUNT);
            vm.expectRevert(
                abi.encodeWithSelector(
                    Tokens.TransferFailed.selector, address(token), alice, pairAB, AMOUNT
                )
            );
            swap(address(token), AMOUNT, b, ab);
        }
        vm.expectRevert(abi.encodeWithSelector(Tokens.NoCode.selector, bob));
        swap(bob, AMOUNT, b, ab);
    }

    function tryToken(Oddity oddity) private returns (bool ok) {
        WeirdToken token = new WeirdToken(Oddity.None);
        hostile.clear();
        payOut();
        fund(alice, address(token), 1e24);
        token.setOddity(oddity);
        bytes memory data = routerCall(address(token), b, alice, evil);
        vm.prank(alice);
        (ok,) = address(router).call(data);
        token.setOddity(Oddity.None);
        assertEq(token.balanceOf(alice), ok ? 1e24 - AMOUNT : 1e24);
        assertEq(token.balanceOf(address(executor)), 0);
    }

    /// A token that turns odd after the executor got it: a failed transfer to a pool or to the receiver
    /// is detected.
    function test_invariant11_refusedTransfersOfTheExecutor() public {
        Oddity[4] memory refused =
            [Oddity.ReturnsFalse, Oddity.ReturnsTwo, Oddity.ReturnsShort, Oddity.Reverts];
        HostilePool second = new HostilePool();
        for (uint256 i = 0; i < refused.length; i++) {
            WeirdToken token = new WeirdToken(Oddity.None);
            token.mint(address(hostile), 7);
            hostile.clear();
            hostile.add(address(executor), callback());
            hostile.add(address(token), abi.encodeCall(WeirdToken.transfer, (address(executor), 7)));
            hostile.add(address(token), abi.encodeCall(WeirdToken.setOddity, (refused[i])));
            expectRefusal(address(token), alice);
            swap(a, AMOUNT, address(token), evil);
            bytes memory program = bytes.concat(
                Program.table(address(token)),
                Program.v3(0, 2, 0, address(hostile), true),
                // Not a share of 0 (all), which would be paid directly to the pair.
                Program.v2(2, 1, 0xFFFFFF, address(second), true, 0)
            );
            expectRefusal(address(token), address(second));
            swap(a, AMOUNT, b, program);
        }
    }

    function expectRefusal(address token, address to) private {
        vm.expectRevert(
            abi.encodeWithSelector(Tokens.TransferFailed.selector, token, address(executor), to, 7)
        );
    }

    function test_invariant11_balanceErrorsAreTyped() public {
        WeirdToken token = new WeirdToken(Oddity.BalanceShort);
        vm.expectRevert(
            abi.encodeWithSelector(Tokens.BalanceUnreadable.selector, address(token), address(executor))
        );
        swap(address(token), AMOUNT, b, evil);
    }

    // 12. The parts of a split add up to the amount, for 0 and 1 wei too.

    function testFuzz_invariant12_remainder(uint256 amountIn, uint24[4] memory shares) public {
        amountIn = bound(amountIn, 0, 1e21);
        HostilePool[5] memory pools;
        bytes memory program = Program.table();
        uint256 left = amountIn;
        uint256[5] memory parts;
        for (uint256 i = 0; i < 5; i++) {
            pools[i] = new HostilePool();
            TestToken(b).mint(address(pools[i]), 1);
            pools[i].add(b, abi.encodeCall(TestToken.transfer, (address(executor), 1)));
            uint24 share = i == 4 ? 0 : shares[i];
            parts[i] = share == 0 ? left : left * share / 0xFFFFFF;
            left -= parts[i];
            program = bytes.concat(program, Program.v2(0, 1, share, address(pools[i]), true, 0));
        }
        if (amountIn == 0) vm.expectRevert(IRouter.AmountInZero.selector);
        uint256 amountOut = swap(a, amountIn, b, program);
        if (amountIn == 0) return;
        uint256 used;
        for (uint256 i = 0; i < 5; i++) {
            assertEq(balance(a, address(pools[i])), parts[i]);
            if (parts[i] != 0) used++;
        }
        assertEq(left, 0);
        assertEq(amountOut, used);
        assertEmpty();
    }

    function test_invariant12_oneWei() public {
        hostile.add(address(executor), abi.encodeCall(UniswapV3.uniswapV3SwapCallback, (int256(1), int256(0), "")));
        TestToken(b).mint(address(hostile), 1);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 1)));
        bytes memory program = bytes.concat(
            Program.table(),
            Program.v2(0, 1, 0xFFFFFE, pairAB, true, 3000),
            Program.v3(0, 1, 0, address(hostile), true)
        );
        assertEq(swap(a, 1, b, program), 1);
    }

    // 13. No account is privileged.

    /// All functions of the two contracts.
    function test_invariant13_noPrivilege() public view {
        string[4] memory ofRouter = [
            "swap((address,uint256,address,uint256,address,uint256,address,address),bytes)",
            "swapWithPermit((address,uint256,address,uint256,address,uint256,address,address),bytes,bytes)",
            "swapWithPermit2((address,uint256,address,uint256,address,uint256,address,address),bytes,uint256,bytes)",
            "wrappedNative()"
        ];
        string[9] memory ofExecutor = [
            "algebraSwapCallback(int256,int256,bytes)",
            "balancerBufferCallback(address,address,uint256,bool)",
            "balancerV3Callback(address,address,address,uint256)",
            "execute(address,uint256,address,address,address,bytes)",
            "hyperswapV3SwapCallback(int256,int256,bytes)",
            "pancakeV3SwapCallback(int256,int256,bytes)",
            "router()",
            "uniswapV3SwapCallback(int256,int256,bytes)",
            "unlockCallback(bytes)"
        ];
        string[] memory names = functions("out/Router.sol/Router.json");
        assertEq(names.length, ofRouter.length);
        for (uint256 i = 0; i < names.length; i++) assertEq(names[i], ofRouter[i]);
        names = functions("out/Executor.sol/Executor.json");
        assertEq(names.length, ofExecutor.length);
        for (uint256 i = 0; i < names.length; i++) assertEq(names[i], ofExecutor[i]);
    }

    /// Neither contract has an instruction for storage, to run another's code as its own, to create or to end one.
    function test_invariant13_noStorage() public view {
        bytes[2] memory codes = [address(router).code, address(executor).code];
        for (uint256 i = 0; i < codes.length; i++) {
            for (uint256 at = 0; at < codes[i].length; at++) {
                uint8 opcode = uint8(codes[i][at]);
                assertFalse(opcode == 0x54 || opcode == 0x55, "storage");
                assertFalse(opcode == 0xf0 || opcode == 0xf2 || opcode == 0xf4 || opcode == 0xf5 || opcode == 0xff, "code");
                // The bytes that are pushed are no instructions.
                if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f;
            }
        }
    }

    function functions(string memory artifact) private view returns (string[] memory) {
        return vm.parseJsonKeys(vm.readFile(artifact), ".methodIdentifiers");
    }
}
