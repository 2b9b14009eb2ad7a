// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {Callback} from "../../src/libraries/Callback.sol";
import {Native} from "../../src/libraries/Native.sol";
import {IPoolManager, PoolKey, UniswapV4} from "../../src/swaps/UniswapV4.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {Accomplice} from "../hostile/HostilePool.sol";
import {HostileManager} from "../hostile/HostileManager.sol";

/// @title The hop through Uniswap V4 pools, against the real manager and hostile ones.
contract UniswapV4Test is Base {
    uint256 internal constant AMOUNT = 1e18;
    uint256 internal constant HELD = 1e30;

    PoolKey internal ab;
    PoolKey internal bc;
    /// Of the native token and A.
    PoolKey internal native;
    HostileManager internal hostile;

    function setUp() public override {
        super.setUp();
        deployManager();
        (ab, bc) = (keyOf(a, b, 3000, address(0)), keyOf(b, c, 500, DONATION_HOOK));
        native = keyOf(address(0), a, 10_000, address(0));
        createV4(ab, 1e24);
        createV4(bc, 1e24);
        createV4(native, 1e24);
        fund(alice, a, HELD);
        fund(alice, whype, 1e24);
        fund(alice, NATIVE, 1e24);
        hostile = new HostileManager();
    }

    /// A hop through the pool of a key: the executor finds the other fields in the tokens of the hop.
    function hop(uint8 from, uint8 to, uint24 share, address at, PoolKey memory key, bool zeroForOne)
        private
        pure
        returns (bytes memory)
    {
        uint8 sides = (zeroForOne ? 1 : 0) + (key.currency0 == address(0) ? 2 : 0);
        return Program.uniswapV4(from, to, share, at, sides, key.fee, uint16(int16(key.tickSpacing)), key.hooks);
    }

    function whole(address at, PoolKey memory key, bool zeroForOne) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), hop(0, 1, 0, at, key, zeroForOne));
    }

    /// A hop from A to B through the hostile manager.
    function hostileHop() private view returns (bytes memory) {
        return whole(address(hostile), ab, a < b);
    }

    function data(PoolKey memory key, bool zeroForOne, uint256 amountIn) private pure returns (bytes memory) {
        return abi.encode(key, zeroForOne, amountIn);
    }

    /// Every selector that is called, computed from the signatures in Uniswap's contracts.
    function test_callsTheManagerOfUniswap() public pure {
        bytes memory signature = "swap((address,address,uint24,int24,address),(bool,int256,uint160),bytes)";
        assertEq(IPoolManager.swap.selector, bytes4(keccak256(signature)));
        assertEq(IPoolManager.sync.selector, bytes4(keccak256("sync(address)")));
        assertEq(IPoolManager.settle.selector, bytes4(keccak256("settle()")));
        assertEq(IPoolManager.take.selector, bytes4(keccak256("take(address,address,uint256)")));
        assertEq(UniswapV4.unlockCallback.selector, bytes4(keccak256("unlockCallback(bytes)")));
    }

    /// Pays exactly what the pool quotes, in both directions, and leaves no debt and no token behind.
    function testFuzz_paysWhatThePoolQuotes(uint256 amountIn, bool fromA) public {
        amountIn = bound(amountIn, 1e3, 1e23);
        fund(alice, b, HELD);
        (address x, address y) = fromA ? (a, b) : (b, a);
        uint256 expected = quoteV4(ab, x < y, amountIn);
        vm.expectCall(x, abi.encodeCall(TestToken.transfer, (address(manager), amountIn)), 1);
        assertEq(swap(x, amountIn, y, whole(address(manager), ab, x < y)), expected);
        assertEmpty();
    }

    /// A pool of the native token: the hop names the wrapped token, sold and bought, at the ends and between.
    function testFuzz_paysWhatAPoolOfTheNativeTokenQuotes(uint256 amountIn, bool wraps, bool sells) public {
        amountIn = bound(amountIn, 1e3, 1e23);
        uint256 expected = quoteV4(native, sells, amountIn);
        address outside = wraps ? whype : NATIVE;
        (address x, address y) = sells ? (outside, a) : (a, outside);
        assertEq(swap(x, amountIn, y, whole(address(manager), native, sells)), expected);
        assertEmpty();
    }

    /// Two pools of one manager in a row, of which one trades the native token, and a share of each input.
    function test_hopsThroughTwoPoolsOfOneManager() public {
        uint256 half = AMOUNT * uint256(Program.HALF) / 0xFFFFFF;
        uint256 first = quoteV4(native, true, half);
        uint256 id = vm.snapshotState();
        swap(whype, half, a, whole(address(manager), native, true));
        uint256 middle = first + quoteV4(native, true, AMOUNT - half);
        vm.revertToState(id);
        uint256 expected = quoteV4(ab, a < b, middle);
        bytes memory program = bytes.concat(
            Program.table(a),
            hop(0, 2, Program.HALF, address(manager), native, true),
            hop(0, 2, 0, address(manager), native, true),
            hop(2, 1, 0, address(manager), ab, a < b)
        );
        assertEq(swap(NATIVE, AMOUNT, b, program), expected);
        assertEmpty();
    }

    /// The hop names the fee, the spacing and the hooks; any other names another pool, which does not exist.
    function test_namesThePoolByItsWholeKey() public {
        fund(alice, b, HELD);
        uint256 expected = quoteV4(bc, b < c, AMOUNT);
        PoolKey[3] memory others = [bc, bc, bc];
        others[0] = PoolKey(bc.currency0, bc.currency1, 501, 60, DONATION_HOOK);
        others[1] = PoolKey(bc.currency0, bc.currency1, 500, 61, DONATION_HOOK);
        others[2] = PoolKey(bc.currency0, bc.currency1, 500, 60, address(0));
        for (uint256 i = 0; i < 3; i++) {
            vm.expectRevert(bytes4(keccak256("PoolNotInitialized()")));
            swap(b, AMOUNT, c, whole(address(manager), others[i], b < c));
        }
        vm.expectRevert(abi.encodeWithSelector(IExecutor.BadFlag.selector, 4));
        bytes memory odd = Program.uniswapV4(0, 1, 0, address(manager), 4, 500, 60, DONATION_HOOK);
        swap(b, AMOUNT, c, bytes.concat(Program.table(), odd));
        assertEq(swap(b, AMOUNT, c, whole(address(manager), bc, b < c)), expected);
    }

    /// The protocol's fee comes on top of the pool's.
    function test_composesTheProtocolFee() public {
        uint256 before = quoteV4(ab, a < b, AMOUNT);
        manager.setProtocolFeeController(address(this));
        manager.setProtocolFee(ab, 1000 | (1000 << 12));
        uint256 expected = quoteV4(ab, a < b, AMOUNT);
        assertLt(expected, before);
        assertEq(swap(a, AMOUNT, b, whole(address(manager), ab, a < b)), expected);
    }

    /// At the end of its liquidity the pool takes less than the input.
    function test_refusesAPoolThatLeavesInputOver() public {
        vm.expectPartialRevert(Callback.InputNotTaken.selector);
        swap(a, 1e29, b, whole(address(manager), ab, a < b));
    }

    function test_refusesMoreThanASignedInteger() public {
        uint256 amount = uint256(type(int256).max) + 1;
        TestToken(a).mint(alice, amount);
        vm.expectRevert(abi.encodeWithSelector(Callback.AmountTooLarge.selector, amount));
        swap(a, amount, b, whole(address(manager), ab, a < b));
    }

    /// A token that somebody synchronised in the same transaction does not stop a native payment.
    function test_paysTheNativeTokenAfterASyncOfAnotherToken() public {
        uint256 expected = quoteV4(native, true, AMOUNT);
        manager.sync(a);
        assertEq(swap(whype, AMOUNT, a, whole(address(manager), native, true)), expected);
    }

    /// What somebody sent to the manager or the executor before does not pay for a swap, and is not taken.
    function test_neitherSpendsNorTakesADonation() public {
        uint256 expected = quoteV4(native, true, AMOUNT);
        deal(address(executor), 5e18);
        give(whype, address(executor), 4e18);
        give(a, address(manager), 3e18);
        assertEq(swap(whype, AMOUNT, a, whole(address(manager), native, true)), expected);
        expected = quoteV4(native, false, AMOUNT);
        assertEq(swap(a, AMOUNT, NATIVE, whole(address(manager), native, false)), expected);
        assertEq(address(executor).balance, 5e18);
        assertEq(balance(whype, address(executor)), 4e18);
    }

    /// A pool of the native token cannot unwrap or wrap for another token than the wrapped one.
    function test_refusesAnotherTokenInPlaceOfTheNativeOne() public {
        give(whype, address(executor), 5e18);
        deal(address(executor), 5e18);
        vm.expectRevert(abi.encodeWithSelector(Native.NotWrappedNative.selector, a));
        swap(a, AMOUNT, b, whole(address(hostile), native, true));
        vm.expectRevert(abi.encodeWithSelector(Native.NotWrappedNative.selector, b));
        swap(a, AMOUNT, b, whole(address(hostile), native, false));
        assertEq(balance(whype, address(executor)), 5e18);
        assertEq(address(executor).balance, 5e18);
    }

    /// A manager that claims to pay the native token and pays less: only what arrives is wrapped.
    function test_wrapsOnlyWhatAManagerPays() public {
        deal(address(executor), 5e18);
        give(whype, address(executor), 4e18);
        hostile.setClaims(3e18);
        vm.expectRevert(
            abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), whype, 4e18, 4e18)
        );
        swap(a, AMOUNT, whype, whole(address(hostile), native, false));
        deal(address(hostile), 7);
        hostile.setPays(7);
        assertEq(swap(a, AMOUNT, whype, whole(address(hostile), native, false)), 7);
        assertEq(address(executor).balance, 5e18);
        assertEq(balance(whype, address(executor)), 4e18);
    }

    /// A hostile manager gets the input of its hop, in native tokens too, and no more.
    function test_aHostileManagerGetsTheInputOfItsHopAlone() public {
        deal(address(executor), 5e18);
        give(a, address(hostile), 7);
        hostile.add(a, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
        assertEq(swap(whype, AMOUNT, a, whole(address(hostile), native, true)), 7);
        assertEq(hostile.received(), AMOUNT);
        assertEq(address(executor).balance, 5e18);
    }

    /// Outside a hop through a pool of the native token, only the wrapped token can pay the executor.
    function test_refusesTheNativeTokenFromOthers() public {
        address[3] memory senders = [alice, address(manager), address(router)];
        for (uint256 i = 0; i < senders.length; i++) {
            deal(senders[i], 1e18);
            vm.prank(senders[i]);
            (bool ok, bytes memory reason) = address(executor).call{value: 1}("");
            assertFalse(ok);
            assertEq(reason, abi.encodeWithSelector(Native.NativeRefused.selector, senders[i]));
        }
        swap(a, AMOUNT, whype, whole(address(manager), native, false));
        vm.prank(address(manager));
        (bool again,) = address(executor).call{value: 1}("");
        assertFalse(again, "the manager of a past hop");
        deal(address(hostile), 7);
        hostile.setPays(7);
        vm.expectRevert("refused");
        swap(a, AMOUNT, b, hostileHop());
    }

    /// Outside a hop, nobody can make the callback, the manager included.
    function test_refusesTheCallbackOutsideAHop() public {
        give(a, address(executor), 5e18);
        bytes memory own = data(ab, a < b, AMOUNT);
        swap(a, AMOUNT, b, whole(address(manager), ab, a < b));
        address[3] memory callers = [alice, address(manager), address(router)];
        for (uint256 i = 0; i < callers.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(Callback.CallbackRefused.selector, callers[i]));
            vm.prank(callers[i]);
            executor.unlockCallback(own);
        }
        assertEq(balance(a, address(executor)), 5e18);
    }

    function test_refusesAManagerThatMakesNoCallback() public {
        hostile.setCallbacks(0);
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackMissing.selector, address(hostile)));
        swap(a, AMOUNT, b, hostileHop());
    }

    function test_refusesASecondCallback() public {
        hostile.setCallbacks(2);
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackRefused.selector, address(hostile)));
        swap(a, AMOUNT, b, hostileHop());
    }

    /// What it claims to pay is not counted, only what arrives; it must take the whole input.
    function test_measuresWhatAHostileManagerPays() public {
        hostile.setClaims(1e30);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), b, 0, 0));
        swap(a, AMOUNT, b, hostileHop());
        int256[3] memory parts = [int256(99), 101, -100];
        for (uint256 i = 0; i < parts.length; i++) {
            hostile.setTaken(parts[i]);
            int256 owed = int256(AMOUNT) * parts[i] / 100;
            vm.expectRevert(
                abi.encodeWithSelector(Callback.InputNotTaken.selector, address(hostile), AMOUNT, owed)
            );
            swap(a, AMOUNT, b, hostileHop());
        }
    }

    /// The callback with another pool, direction or amount, or one byte more, is another callback.
    function test_refusesOtherBytesThanItsOwn() public {
        bytes memory own = data(ab, a < b, AMOUNT);
        bytes[4] memory others =
            [data(bc, a < b, AMOUNT), data(ab, a > b, AMOUNT), data(ab, a < b, AMOUNT + 1), bytes.concat(own, hex"00")];
        for (uint256 i = 0; i < others.length; i++) {
            hostile.setOther(others[i]);
            vm.expectRevert(abi.encodeWithSelector(Callback.CallbackRefused.selector, address(hostile)));
            swap(a, AMOUNT, b, hostileHop());
        }
        hostile.setOther(own);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), b, 0, 0));
        swap(a, AMOUNT, b, hostileHop());
    }

    /// The right bytes from another contract, while the manager of the hop is unlocking; and no other call.
    function test_refusesAnotherCallerAndAnswersNoOtherCall() public {
        Accomplice accomplice = new Accomplice();
        bytes memory own = abi.encodeCall(UniswapV4.unlockCallback, (data(ab, a < b, AMOUNT)));
        hostile.setCallbacks(0);
        hostile.add(address(accomplice), abi.encodeCall(Accomplice.forward, (address(executor), own)));
        hostile.add(address(executor), abi.encodeCall(IExecutor.execute, (a, AMOUNT, b, address(hostile), address(executor), "")));
        hostile.add(address(executor), own);
        give(b, address(hostile), 7);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
        assertEq(swap(a, AMOUNT, b, hostileHop()), 7);
        assertFalse(hostile.succeeded(0), "a stranger was paid");
        assertFalse(hostile.succeeded(1), "the executor was entered");
        assertTrue(hostile.succeeded(2), "the manager was not paid");
        assertEq(balance(a, address(accomplice)), 0);
        assertEq(balance(a, address(hostile)), AMOUNT);
    }
}
