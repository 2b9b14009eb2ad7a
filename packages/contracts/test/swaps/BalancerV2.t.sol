// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {Approval} from "../../src/libraries/Approval.sol";
import {IBalancerV2Pool, IBalancerV2Vault} from "../../src/swaps/BalancerV2.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {BalancerV2Pool, BalancerV2Vault} from "../base/BalancerV2Vault.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {HostileV2Vault} from "../hostile/HostileV2Vault.sol";

/// @title The hop through Balancer V2 pools, against our double of the vault and hostile vaults.
contract BalancerV2Test is Base {
    uint256 internal constant AMOUNT = 1e18;

    BalancerV2Vault internal vault;
    BalancerV2Pool internal ab;
    BalancerV2Pool internal bc;
    HostileV2Vault internal hostile;

    function setUp() public override {
        super.setUp();
        vault = new BalancerV2Vault();
        (ab, bc) = (create(a, b), create(b, c));
        fund(alice, a, 1e30);
        hostile = new HostileV2Vault();
        give(b, address(hostile), 1e18);
    }

    function create(address x, address y) private returns (BalancerV2Pool) {
        give(x, address(vault), 1e24);
        give(y, address(vault), 2e24);
        return vault.create(x, y);
    }

    function hop(address pool) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), Program.balancerV2(0, 1, 0, pool));
    }

    /// Every selector that is called, computed from the signatures in Balancer's contracts.
    function test_callsTheVaultOfBalancer() public pure {
        assertEq(IBalancerV2Pool.getVault.selector, bytes4(keccak256("getVault()")));
        assertEq(IBalancerV2Pool.getPoolId.selector, bytes4(keccak256("getPoolId()")));
        bytes memory signature =
            "swap((bytes32,uint8,address,address,uint256,bytes),(address,bool,address,bool),uint256,uint256)";
        assertEq(IBalancerV2Vault.swap.selector, bytes4(keccak256(signature)));
    }

    /// Pays exactly the vault's quote; no approval and no token remains.
    function testFuzz_paysWhatTheVaultQuotes(uint256 amountIn) public {
        amountIn = bound(amountIn, 1e3, 1e28);
        uint256 expected = vault.quote(ab.getPoolId(), a, b, amountIn);
        vm.expectCall(a, abi.encodeCall(TestToken.approve, (address(vault), amountIn)), 1);
        vm.expectCall(a, abi.encodeCall(TestToken.approve, (address(vault), 0)), 1);
        assertEq(swap(a, amountIn, b, hop(address(ab))), expected);
        assertEq(TestToken(a).allowance(address(executor), address(vault)), 0, "still approved");
        assertEmpty();
    }

    /// Two pools of one vault in a row, and a share of each input.
    function test_hopsThroughTwoPoolsOfOneVault() public {
        uint256 half = AMOUNT * uint256(Program.HALF) / 0xFFFFFF;
        uint256 middle = vault.quote(ab.getPoolId(), a, b, half);
        uint256 id = vm.snapshotState();
        swap(a, half, b, hop(address(ab)));
        middle += vault.quote(ab.getPoolId(), a, b, AMOUNT - half);
        vm.revertToState(id);
        uint256 expected = vault.quote(bc.getPoolId(), b, c, middle);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.balancerV2(0, 2, Program.HALF, address(ab)),
            Program.balancerV2(0, 2, 0, address(ab)),
            Program.balancerV2(2, 1, 0, address(bc))
        );
        assertEq(swap(a, AMOUNT, c, program), expected);
        assertEmpty();
    }

    /// The output goes directly to a pair that is paid before its swap.
    function test_paysTheNextPoolDirectly() public {
        uint256 middle = vault.quote(ab.getPoolId(), a, b, AMOUNT);
        vm.expectCall(b, abi.encodeCall(TestToken.transfer, (pairBC, middle)), 1);
        vm.expectCall(b, abi.encodeCall(TestToken.transfer, (address(executor), middle)), 0);
        bytes memory program = bytes.concat(
            Program.table(b),
            Program.balancerV2(0, 2, 0, address(ab)),
            Program.v2(2, 1, 0, pairBC, b < c, 3000)
        );
        assertGt(swap(a, AMOUNT, c, program), 0);
        assertEmpty();
    }

    /// The tokens that somebody has sent to the executor before do not pay for a swap, and are not taken.
    function test_neitherSpendsNorTakesADonation() public {
        uint256 expected = vault.quote(ab.getPoolId(), a, b, AMOUNT);
        give(a, address(executor), 5e18);
        give(b, address(executor), 5e18);
        assertEq(swap(a, AMOUNT, b, hop(address(ab))), expected);
        assertEq(balance(a, address(executor)), 5e18);
        assertEq(balance(b, address(executor)), 5e18);
    }

    /// A vault that takes less or nothing. It cannot take more: it is approved for the input alone.
    function test_refusesAVaultThatTakesOther() public {
        uint256[2] memory others = [uint256(0), AMOUNT - 1];
        for (uint256 i = 0; i < others.length; i++) {
            hostile.set(others[i], 7, 7);
            vm.expectRevert(
                abi.encodeWithSelector(Approval.PoolTookOther.selector, address(hostile), AMOUNT, others[i])
            );
            swap(a, AMOUNT, b, hop(address(hostile)));
        }
        give(a, address(executor), 5e18);
        hostile.set(AMOUNT + 1, 7, 7);
        vm.expectRevert();
        swap(a, AMOUNT, b, hop(address(hostile)));
        assertEq(balance(a, address(executor)), 5e18);
    }

    /// What it claims to pay is not counted, only what arrives.
    function test_measuresWhatAHostileVaultPays() public {
        hostile.set(AMOUNT, 0, 1e30);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), b, 0, 0));
        swap(a, AMOUNT, b, hop(address(hostile)));
        hostile.set(AMOUNT, 7, 1e30);
        assertEq(swap(a, AMOUNT, b, hop(address(hostile))), 7);
        assertEq(TestToken(a).allowance(address(executor), address(hostile)), 0, "still approved");
    }

    /// In the middle of its hop it can enter neither the executor nor spend the tokens of a donor.
    function test_answersNoOtherCall() public {
        give(a, address(executor), 5e18);
        hostile.set(AMOUNT, 7, 7);
        hostile.act(address(executor), abi.encodeCall(IExecutor.execute, (a, AMOUNT, b, address(hostile), address(executor), "")));
        assertEq(swap(a, AMOUNT, b, hop(address(hostile))), 7);
        assertFalse(hostile.succeeded());
        hostile.act(a, abi.encodeCall(TestToken.transferFrom, (alice, address(hostile), 1)));
        assertEq(swap(a, AMOUNT, b, hop(address(hostile))), 7);
        assertFalse(hostile.succeeded());
        assertEq(balance(a, address(executor)), 5e18);
    }

    /// A pool that names an account without code, a token, the router or another pool's id.
    function test_refusesAVaultThatIsNone() public {
        address[3] memory vaults = [alice, a, address(router)];
        for (uint256 i = 0; i < vaults.length; i++) {
            vm.mockCall(address(ab), abi.encodeWithSignature("getVault()"), abi.encode(vaults[i]));
            vm.expectRevert();
            swap(a, AMOUNT, b, hop(address(ab)));
        }
        vm.clearMockedCalls();
        bytes32 other = bc.getPoolId();
        vm.mockCall(address(ab), abi.encodeWithSignature("getPoolId()"), abi.encode(other));
        vm.expectRevert("BAL#521");
        swap(a, AMOUNT, b, hop(address(ab)));
        assertEq(balance(a, alice), 1e30);
    }
}
