// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Callback} from "../../src/libraries/Callback.sol";
import {Tokens} from "../../src/libraries/Tokens.sol";
import {BalancerBuffer} from "../../src/swaps/BalancerBuffer.sol";
import {BalancerV3} from "../../src/swaps/BalancerV3.sol";
import {UniswapV3} from "../../src/swaps/UniswapV3.sol";
import {PoolKey, UniswapV4} from "../../src/swaps/UniswapV4.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {Accomplice, HostilePool} from "../hostile/HostilePool.sol";
import {HostileV2Vault} from "../hostile/HostileV2Vault.sol";
import {Reentrant} from "../hostile/Reentrant.sol";
import {Oddity, WeirdToken} from "../hostile/WeirdToken.sol";

/// @title While a hop is in flight: who may call back, what a callback may cause, and what a token may answer.
contract InFlightTest is Base {
    uint256 internal constant AMOUNT = 1e18;
    uint256 internal constant GIFT = 100e18;
    HostilePool internal hostile;
    Reentrant internal reentrant;
    /// Calls its receiver during each transfer.
    WeirdToken internal token;

    function setUp() public override {
        super.setUp();
        (hostile, reentrant) = (new HostilePool(), new Reentrant());
        token = new WeirdToken(Oddity.CallsOut);
        fund(alice, address(token), 1e24);
        fund(alice, a, 1e24);
        give(a, address(executor), GIFT);
        give(address(token), address(executor), GIFT);
        give(b, address(reentrant), 1e18);
    }

    /// Every name of the V3 callback, for the whole amount.
    function names() private pure returns (bytes[4] memory) {
        return [
            abi.encodeCall(UniswapV3.uniswapV3SwapCallback, (int256(AMOUNT), 0, "")),
            abi.encodeCall(UniswapV3.hyperswapV3SwapCallback, (int256(AMOUNT), 0, "")),
            abi.encodeCall(UniswapV3.pancakeV3SwapCallback, (int256(AMOUNT), 0, "")),
            abi.encodeCall(UniswapV3.algebraSwapCallback, (int256(AMOUNT), 0, ""))
        ];
    }

    /// A stranger may not call back while the pool is being called, by no name of the callback.
    function test_invariant04_noNameServesAStranger() public {
        Accomplice stranger = new Accomplice();
        bytes[4] memory all = names();
        for (uint256 i = 0; i < all.length; i++) {
            hostile.clear();
            hostile.add(address(stranger), abi.encodeCall(Accomplice.forward, (address(executor), all[i])));
            hostile.add(address(executor), all[0]);
            give(b, address(hostile), 7);
            hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
            swap(a, AMOUNT, b, bytes.concat(Program.table(), Program.v3(0, 1, 0, address(hostile), true)));
            assertFalse(hostile.succeeded(0));
            assertEq(
                hostile.reasons(0), abi.encodeWithSelector(Callback.CallbackRefused.selector, address(stranger))
            );
            assertEq(balance(a, address(stranger)), 0);
            assertEq(balance(a, address(executor)), GIFT);
        }
    }

    /// Sells the token that calls out through the reentrant contract, which answers `answer` to each step.
    function enter(address tokenIn, bytes memory hop, bytes memory callback, uint256 answer, uint256 least) private {
        reentrant.set(address(executor), callback, b, answer);
        if (tokenIn == address(token)) token.setCall(address(reentrant), hex"01020304");
        assertEq(swap(tokenIn, AMOUNT, b, bytes.concat(Program.table(), hop)), 7);
        assertGe(reentrant.attempts(), least, "not tried");
        assertFalse(reentrant.succeeded(), "paid twice");
        assertEq(balance(tokenIn, address(reentrant)), AMOUNT);
        assertEq(balance(tokenIn, address(executor)), GIFT);
    }

    /// The pool is no longer expected when its token is sent, so a token that calls it causes no second payment.
    function test_invariant04_aV3CallbackInsideItsPayment() public {
        bytes memory hop = Program.v3(0, 1, 0, address(reentrant), true);
        enter(address(token), hop, names()[0], 0, 1);
    }

    /// A vault's callback is over when it begins: not again inside the vault's swap, settlement or payment.
    function test_invariant04_aVaultsCallbackInsideItself() public {
        bytes memory own =
            abi.encodeCall(BalancerV3.balancerV3Callback, (address(reentrant), address(token), b, AMOUNT));
        enter(address(token), Program.balancerV3(0, 1, 0, address(reentrant)), own, 7, 4);
    }

    function test_invariant04_aBuffersCallbackInsideItself() public {
        bytes memory own =
            abi.encodeCall(BalancerBuffer.balancerBufferCallback, (address(token), b, AMOUNT, true));
        enter(address(token), Program.balancerBuffer(0, 1, 0, address(reentrant), true), own, 7, 4);
    }

    function test_invariant04_aManagersCallbackInsideItself() public {
        PoolKey memory key = PoolKey(address(token), b, 3000, 60, address(0));
        bytes memory own = abi.encodeCall(UniswapV4.unlockCallback, (abi.encode(key, true, AMOUNT)));
        bytes memory hop = Program.uniswapV4(0, 1, 0, address(reentrant), 1, 3000, 60, address(0));
        enter(address(token), hop, own, uint256(-int256(AMOUNT) << 128), 5);
    }

    /// A token that refuses an approval, or its end, refuses the swap of each family that approves.
    function test_refusedApprovals() public {
        uint8[6] memory opcodes = [4, 5, 6, 7, 11, 12];
        uint256[2] memory amounts = [AMOUNT, 0];
        HostileV2Vault vault = new HostileV2Vault();
        vault.set(AMOUNT, 7, 0);
        give(b, address(vault), 1e18);
        give(b, address(hostile), 1e18);
        hostile.add(a, abi.encodeCall(TestToken.transferFrom, (address(executor), address(hostile), AMOUNT)));
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
        for (uint256 i = 0; i < opcodes.length; i++) {
            address pool = opcodes[i] == 12 ? address(vault) : address(hostile);
            bytes memory program = bytes.concat(Program.table(), Program.hop(opcodes[i], 0, 1, 0, pool));
            for (uint256 j = 0; j < 2; j++) {
                vm.mockCall(a, abi.encodeCall(TestToken.approve, (pool, amounts[j])), abi.encode(false));
                vm.expectRevert(abi.encodeWithSelector(Tokens.ApproveFailed.selector, a, pool, amounts[j]));
                swap(a, AMOUNT, b, program);
                vm.clearMockedCalls();
            }
            assertEq(swap(a, AMOUNT, b, program), 7);
        }
    }
}
