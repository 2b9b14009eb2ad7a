// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {Callback} from "../../src/libraries/Callback.sol";
import {IUnlock} from "../../src/libraries/Unlock.sol";
import {BalancerV3, IBalancerV3Pool, IBalancerV3Vault, VaultSwapParams} from "../../src/swaps/BalancerV3.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {BalancerPool, BalancerVault} from "../base/BalancerVault.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {Accomplice} from "../hostile/HostilePool.sol";
import {HostileVault} from "../hostile/HostileVault.sol";

/// @title The hop through Balancer V3 pools, against our double of the vault and hostile vaults.
contract BalancerV3Test is Base {
    uint256 internal constant AMOUNT = 1e18;

    BalancerVault internal vault;
    BalancerPool internal ab;
    BalancerPool internal bc;
    HostileVault internal hostile;

    function setUp() public override {
        super.setUp();
        vault = new BalancerVault();
        (ab, bc) = (create(a, b), create(b, c));
        fund(alice, a, 1e30);
        hostile = new HostileVault();
    }

    function create(address x, address y) private returns (BalancerPool) {
        give(x, address(vault), 1e24);
        give(y, address(vault), 2e24);
        return vault.create(x, y);
    }

    function hop(address pool) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), Program.balancerV3(0, 1, 0, pool));
    }

    function callback(address pool, uint256 amountIn) private view returns (bytes memory) {
        return abi.encodeCall(BalancerV3.balancerV3Callback, (pool, a, b, amountIn));
    }

    /// Every selector that is called, computed from the signatures in Balancer's contracts.
    function test_callsTheVaultOfBalancer() public pure {
        assertEq(IUnlock.unlock.selector, bytes4(keccak256("unlock(bytes)")));
        assertEq(IBalancerV3Pool.getVault.selector, bytes4(keccak256("getVault()")));
        assertEq(IBalancerV3Vault.settle.selector, bytes4(keccak256("settle(address,uint256)")));
        assertEq(IBalancerV3Vault.sendTo.selector, bytes4(keccak256("sendTo(address,address,uint256)")));
        bytes memory signature = "swap((uint8,address,address,address,uint256,uint256,bytes))";
        assertEq(IBalancerV3Vault.swap.selector, bytes4(keccak256(signature)));
    }

    /// Pays exactly the vault's quote, and leaves no debt, no credit and no token behind.
    function testFuzz_paysWhatTheVaultQuotes(uint256 amountIn) public {
        amountIn = bound(amountIn, 1e3, 1e28);
        uint256 expected = vault.quote(address(ab), a, b, amountIn);
        vm.expectCall(a, abi.encodeCall(TestToken.transfer, (address(vault), amountIn)), 1);
        assertEq(swap(a, amountIn, b, hop(address(ab))), expected);
        assertFalse(vault.unlocked());
        assertEmpty();
    }

    /// Two pools of one vault in a row, and a share of each input, unlock it once for each hop.
    function test_hopsThroughTwoPoolsOfOneVault() public {
        uint256 half = AMOUNT * uint256(Program.HALF) / 0xFFFFFF;
        uint256 middle = vault.quote(address(ab), a, b, half);
        uint256 id = vm.snapshotState();
        swap(a, half, b, hop(address(ab)));
        middle += vault.quote(address(ab), a, b, AMOUNT - half);
        vm.revertToState(id);
        uint256 expected = vault.quote(address(bc), b, c, middle);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.balancerV3(0, 2, Program.HALF, address(ab)),
            Program.balancerV3(0, 2, 0, address(ab)),
            Program.balancerV3(2, 1, 0, address(bc))
        );
        assertEq(swap(a, AMOUNT, c, program), expected);
        assertEmpty();
    }

    /// The tokens that somebody has sent to the vault before do not pay for a swap, and are not taken.
    function test_neitherSpendsNorTakesADonationToTheVault() public {
        uint256 expected = vault.quote(address(ab), a, b, AMOUNT);
        give(a, address(vault), 5e18);
        give(b, address(vault), 5e18);
        assertEq(swap(a, AMOUNT, b, hop(address(ab))), expected);
        assertEq(balance(a, alice), 1e30 - AMOUNT);
    }

    /// Outside a hop, nobody can make the callback, the vault included.
    function test_refusesTheCallbackOutsideAHop() public {
        give(a, address(executor), 5e18);
        address[3] memory callers = [alice, address(vault), address(ab)];
        for (uint256 i = 0; i < callers.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(Callback.CallbackRefused.selector, callers[i]));
            vm.prank(callers[i]);
            executor.balancerV3Callback(address(ab), a, b, AMOUNT);
        }
        swap(a, AMOUNT, b, hop(address(ab)));
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackRefused.selector, address(vault)));
        vm.prank(address(vault));
        executor.balancerV3Callback(address(ab), a, b, AMOUNT);
        assertEq(balance(a, address(executor)), 5e18);
    }

    /// The vault calls back the account that unlocks it, never the executor on behalf of another one.
    function test_anUnlockOfOthersDoesNotReachTheExecutor() public {
        bytes memory data = callback(address(ab), AMOUNT);
        vm.expectCall(address(executor), data, 0);
        vm.prank(address(hostile));
        vault.unlock(data);
    }

    /// A hostile vault gets what a hostile pool gets: the hop's input, once.
    function test_aHostileVaultGetsTheInputOfItsHopAlone() public {
        give(b, address(hostile), 7);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
        bytes memory program = bytes.concat(
            Program.table(),
            Program.balancerV3(0, 1, Program.HALF, address(hostile)),
            Program.balancerV3(0, 1, 0, address(ab))
        );
        uint256 half = AMOUNT * uint256(Program.HALF) / 0xFFFFFF;
        uint256 expected = vault.quote(address(ab), a, b, AMOUNT - half);
        assertEq(swap(a, AMOUNT, b, program), expected + 7);
        assertEq(balance(a, address(hostile)), half);
    }

    /// What it claims to pay is not counted, only what arrives.
    function test_measuresWhatAHostileVaultPays() public {
        hostile.setClaims(1e30);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), b, 0, 0));
        swap(a, AMOUNT, b, hop(address(hostile)));
    }

    function test_refusesAVaultThatMakesNoCallback() public {
        hostile.setCallbacks(0);
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackMissing.selector, address(hostile)));
        swap(a, AMOUNT, b, hop(address(hostile)));
    }

    function test_refusesASecondCallback() public {
        hostile.setCallbacks(2);
        vm.expectRevert(abi.encodeWithSelector(Callback.CallbackRefused.selector, address(hostile)));
        swap(a, AMOUNT, b, hop(address(hostile)));
    }

    /// The callback with another pool, token or amount, or one byte more, is another callback.
    function test_refusesOtherBytesThanItsOwn() public {
        bytes memory own = callback(address(hostile), AMOUNT);
        bytes[5] memory others = [
            callback(address(ab), AMOUNT),
            callback(address(hostile), AMOUNT + 1),
            abi.encodeCall(BalancerV3.balancerV3Callback, (address(hostile), c, b, AMOUNT)),
            abi.encodeCall(BalancerV3.balancerV3Callback, (address(hostile), a, c, AMOUNT)),
            bytes.concat(own, hex"00")
        ];
        give(a, address(executor), 5e18);
        give(c, address(executor), 5e18);
        for (uint256 i = 0; i < others.length; i++) {
            hostile.setOther(others[i]);
            vm.expectRevert(abi.encodeWithSelector(Callback.CallbackRefused.selector, address(hostile)));
            swap(a, AMOUNT, b, hop(address(hostile)));
        }
        hostile.setOther(own);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), b, 0, 0));
        swap(a, AMOUNT, b, hop(address(hostile)));
    }

    /// The right bytes from another contract, while the vault of the hop is unlocking.
    function test_refusesAnotherCaller() public {
        Accomplice accomplice = new Accomplice();
        bytes memory own = callback(address(hostile), AMOUNT);
        hostile.setCallbacks(0);
        hostile.add(address(accomplice), abi.encodeCall(Accomplice.forward, (address(executor), own)));
        hostile.add(address(executor), own);
        give(b, address(hostile), 7);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
        assertEq(swap(a, AMOUNT, b, hop(address(hostile))), 7);
        assertFalse(hostile.succeeded(0), "a stranger was paid");
        assertTrue(hostile.succeeded(1), "the vault was not paid");
        assertEq(balance(a, address(accomplice)), 0);
        assertEq(balance(a, address(hostile)), AMOUNT);
    }

    /// Inside its callback's hop it can enter neither the router nor the executor again.
    function test_answersNoOtherCall() public {
        hostile.add(address(executor), abi.encodeCall(IExecutor.execute, (a, AMOUNT, b, address(hostile), address(executor), "")));
        give(b, address(hostile), 7);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
        assertEq(swap(a, AMOUNT, b, hop(address(hostile))), 7);
        assertFalse(hostile.succeeded(0));
    }

    /// A pool that names an account without code, or a token, as its vault.
    function test_refusesAVaultThatIsNone() public {
        address[3] memory vaults = [alice, a, address(router)];
        for (uint256 i = 0; i < vaults.length; i++) {
            vm.mockCall(address(ab), abi.encodeWithSignature("getVault()"), abi.encode(vaults[i]));
            vm.expectRevert();
            swap(a, AMOUNT, b, hop(address(ab)));
        }
        assertEq(balance(a, alice), 1e30);
    }
}
