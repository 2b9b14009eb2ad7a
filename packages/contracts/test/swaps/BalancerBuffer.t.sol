// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {Callback} from "../../src/libraries/Callback.sol";
import {BalancerBuffer, IBalancerV3Buffers} from "../../src/swaps/BalancerBuffer.sol";
import {BalancerV3} from "../../src/swaps/BalancerV3.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {BalancerVault} from "../base/BalancerVault.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {Accomplice} from "../hostile/HostilePool.sol";
import {HostileVault} from "../hostile/HostileVault.sol";
import {OzVault} from "./Erc4626.t.sol";

/// @title The hop through a buffer of Balancer V3, against our double of the vault and hostile vaults.
contract BalancerBufferTest is Base {
    uint256 internal constant AMOUNT = 1e18;

    BalancerVault internal vault;
    address internal wrapped;
    HostileVault internal hostile;

    function setUp() public override {
        super.setUp();
        vault = new BalancerVault();
        wrapped = address(new OzVault(a, 0));
        give(a, address(this), 4e24);
        TestToken(a).approve(wrapped, 4e24);
        OzVault(wrapped).deposit(2e24, address(vault));
        OzVault(wrapped).deposit(2e24, alice);
        // A share is worth 1.25 assets.
        give(a, wrapped, 1e24);
        give(a, address(vault), 2e24);
        vault.createBuffer(a, wrapped, wrapped);
        fund(alice, a, 1e30);
        vm.prank(alice);
        TestToken(wrapped).approve(address(router), type(uint256).max);
        hostile = new HostileVault();
    }

    function hop(address holder, bool isWrap) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), Program.balancerBuffer(0, 1, 0, holder, isWrap));
    }

    function callback(address tokenIn, address tokenOut, uint256 amountIn, bool isWrap)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodeCall(BalancerBuffer.balancerBufferCallback, (tokenIn, tokenOut, amountIn, isWrap));
    }

    /// The selector, computed from the signature in Balancer's contracts.
    function test_callsTheVaultOfBalancer() public pure {
        bytes memory signature = "erc4626BufferWrapOrUnwrap((uint8,uint8,address,uint256,uint256))";
        assertEq(IBalancerV3Buffers.erc4626BufferWrapOrUnwrap.selector, bytes4(keccak256(signature)));
    }

    /// Pays exactly what the buffer quotes, and leaves no debt, no credit and no token behind.
    function testFuzz_wrapsAsTheBufferQuotes(uint256 amountIn) public {
        amountIn = bound(amountIn, 1e3, 2e24);
        uint256 expected = vault.quoteBuffer(wrapped, amountIn, true);
        vm.expectCall(a, abi.encodeCall(TestToken.transfer, (address(vault), amountIn)), 1);
        assertEq(swap(a, amountIn, wrapped, hop(address(vault), true)), expected);
        assertFalse(vault.unlocked());
        assertEmpty();
        assertEq(balance(wrapped, address(executor)), 0);
    }

    function testFuzz_unwrapsAsTheBufferQuotes(uint256 amountIn) public {
        amountIn = bound(amountIn, 1e3, 1.5e24);
        uint256 expected = vault.quoteBuffer(wrapped, amountIn, false);
        vm.expectCall(wrapped, abi.encodeCall(TestToken.transfer, (address(vault), amountIn)), 1);
        assertEq(swap(wrapped, amountIn, a, hop(address(vault), false)), expected);
        assertFalse(vault.unlocked());
        assertEmpty();
        assertEq(balance(wrapped, address(executor)), 0);
    }

    /// The direction names which of the two tokens is the wrapped one: no other one is.
    function test_refusesTheOtherDirection() public {
        vm.expectRevert();
        swap(a, AMOUNT, wrapped, hop(address(vault), false));
        vm.expectRevert();
        swap(wrapped, AMOUNT, a, hop(address(vault), true));
    }

    /// A hop that wraps and one that unwraps again unlock the vault once each.
    function test_wrapsAndUnwrapsInOneProgram() public {
        uint256 middle = vault.quoteBuffer(wrapped, AMOUNT, true);
        bytes memory program = bytes.concat(
            Program.table(wrapped),
            Program.balancerBuffer(0, 2, 0, address(vault), true),
            Program.balancerBuffer(2, 0, 0, address(vault), false),
            Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 3000)
        );
        uint256 id = vm.snapshotState();
        uint256 back = vault.quoteBuffer(wrapped, middle, false);
        uint256 expected = swap(
            a, back, b, bytes.concat(Program.table(), Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 3000))
        );
        vm.revertToState(id);
        assertEq(swap(a, AMOUNT, b, program), expected);
        assertEmpty();
    }

    /// Outside a hop, nobody can make the callback, the vault included.
    function test_refusesTheCallbackOutsideAHop() public {
        give(a, address(executor), 5e18);
        address[2] memory callers = [alice, address(vault)];
        for (uint256 turn = 0; turn < 2; turn++) {
            for (uint256 i = 0; i < callers.length; i++) {
                vm.expectRevert(abi.encodeWithSelector(Callback.CallbackRefused.selector, callers[i]));
                vm.prank(callers[i]);
                executor.balancerBufferCallback(a, wrapped, AMOUNT, true);
            }
            swap(a, AMOUNT, wrapped, hop(address(vault), true));
        }
        assertEq(balance(a, address(executor)), 5e18);
    }

    /// A hostile vault gets what a hostile pool gets: the hop's input, once.
    function test_aHostileVaultGetsTheInputOfItsHopAlone() public {
        give(b, address(hostile), 7);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
        give(a, address(executor), 5e18);
        assertEq(swap(a, AMOUNT, b, hop(address(hostile), true)), 7);
        assertEq(balance(a, address(hostile)), AMOUNT);
        assertEq(balance(a, address(executor)), 5e18);
    }

    /// What it claims to pay is not counted, only what arrives.
    function test_measuresWhatAHostileVaultPays() public {
        hostile.setClaims(1e30);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), b, 0, 0));
        swap(a, AMOUNT, b, hop(address(hostile), true));
    }

    function test_refusesAVaultThatMakesNoCallbackOrTwo() public {
        hostile.setCallbacks(0);
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackMissing.selector, address(hostile)));
        swap(a, AMOUNT, b, hop(address(hostile), true));
        hostile.setCallbacks(2);
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackRefused.selector, address(hostile)));
        swap(a, AMOUNT, b, hop(address(hostile), true));
    }

    /// The callback with another token, amount or direction, one byte more, or of another kind of hop.
    function test_refusesOtherBytesThanItsOwn() public {
        bytes[6] memory others = [
            callback(a, b, AMOUNT + 1, true),
            callback(a, b, AMOUNT, false),
            callback(c, b, AMOUNT, true),
            callback(a, c, AMOUNT, true),
            bytes.concat(callback(a, b, AMOUNT, true), hex"00"),
            abi.encodeCall(BalancerV3.balancerV3Callback, (address(hostile), a, b, AMOUNT))
        ];
        give(a, address(executor), 5e18);
        give(c, address(executor), 5e18);
        for (uint256 i = 0; i < others.length; i++) {
            hostile.setOther(others[i]);
            vm.expectRevert(abi.encodeWithSelector(Callback.CallbackRefused.selector, address(hostile)));
            swap(a, AMOUNT, b, hop(address(hostile), true));
        }
    }

    /// The right bytes from another contract, while the vault of the hop is unlocking.
    function test_refusesAnotherCaller() public {
        Accomplice accomplice = new Accomplice();
        bytes memory own = callback(a, b, AMOUNT, true);
        hostile.setCallbacks(0);
        hostile.add(address(accomplice), abi.encodeCall(Accomplice.forward, (address(executor), own)));
        hostile.add(address(executor), own);
        give(b, address(hostile), 7);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
        assertEq(swap(a, AMOUNT, b, hop(address(hostile), true)), 7);
        assertFalse(hostile.succeeded(0), "a stranger was paid");
        assertTrue(hostile.succeeded(1), "the vault was not paid");
        assertEq(balance(a, address(accomplice)), 0);
        assertEq(balance(a, address(hostile)), AMOUNT);
    }
}
