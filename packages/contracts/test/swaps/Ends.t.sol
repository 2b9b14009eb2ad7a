// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ICryptoSwap} from "../../src/swaps/CurveCrypto.sol";
import {IStableSwap} from "../../src/swaps/CurveStableSwap.sol";
import {IPoolManager, PoolKey, SwapParams} from "../../src/swaps/UniswapV4.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {HostileManager} from "../hostile/HostileManager.sol";
import {HostilePool} from "../hostile/HostilePool.sol";
import {OzVault} from "./Erc4626.t.sol";

/// @title Fields and amounts at the ends of their ranges: the very call that a pool gets.
contract EndsTest is Base {
    uint256 internal constant AMOUNT = 1e18;
    HostilePool internal hostile;

    function setUp() public override {
        super.setUp();
        hostile = new HostilePool();
        fund(alice, a, 1e24);
        fund(alice, b, 1e24);
        give(a, address(hostile), 1e18);
        give(b, address(hostile), 1e18);
    }

    /// Both indices of coins have all four bits.
    function testFuzz_coinsUseAllBits(uint8 i, uint8 j) public {
        (i, j) = (i & 0xF, j & 0xF);
        hostile.add(a, abi.encodeCall(TestToken.transferFrom, (address(executor), address(hostile), AMOUNT)));
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
        int128 signed = int128(uint128(i));
        vm.expectCall(
            address(hostile), abi.encodeCall(IStableSwap.exchange, (signed, int128(uint128(j)), AMOUNT, 0))
        );
        swap(a, AMOUNT, b, bytes.concat(Program.table(), Program.curve(0, 1, 0, address(hostile), i, j)));
        vm.expectCall(address(hostile), abi.encodeCall(ICryptoSwap.exchange, (i, j, AMOUNT, 0)));
        swap(a, AMOUNT, b, bytes.concat(Program.table(), Program.crypto(0, 1, 0, address(hostile), i, j)));
    }

    /// The key of a Uniswap V4 pool has every bit of the hop's fee, spacing and hooks, and the price limit is
    /// the last price that a pool accepts.
    function testFuzz_theWholeKeyAndTheLastPrice(uint24 fee, uint16 spacing, address hooks, bool zeroForOne) public {
        HostileManager holder = new HostileManager();
        PoolKey memory key = keyOf(a, b, fee, hooks);
        key.tickSpacing = int24(uint24(spacing));
        (address from, address to) = zeroForOne == a < b ? (a, b) : (b, a);
        give(to, address(holder), 7);
        holder.add(to, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
        expectSwap(address(holder), key, zeroForOne);
        uint8 sides = zeroForOne ? 1 : 0;
        bytes memory hop = Program.uniswapV4(0, 1, 0, address(holder), sides, fee, spacing, hooks);
        swap(from, AMOUNT, to, bytes.concat(Program.table(), hop));
    }

    function expectSwap(address at, PoolKey memory key, bool zeroForOne) private {
        uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        SwapParams memory params = SwapParams(zeroForOne, -int256(AMOUNT), limit);
        vm.expectCall(at, abi.encodeCall(IPoolManager.swap, (key, params, "")));
    }

    /// A payment of less than one wei is not sent: some tokens refuse a transfer of nothing.
    function test_aPaymentOfNothingIsNotSent() public {
        address payee = makeAddr("integrator");
        bytes memory program = bytes.concat(
            Program.table(),
            Program.pay(0, 9_999, payee),
            Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 3000),
            Program.pay(1, 1, payee)
        );
        vm.expectCall(a, abi.encodeWithSelector(TestToken.transfer.selector, payee), 0);
        vm.expectCall(b, abi.encodeWithSelector(TestToken.transfer.selector, payee), 0);
        swap(a, 100, b, program);
    }

    /// Shares that a vault mints go straight to the pair that sells all of them, past the executor.
    function test_aVaultsDepositPaysTheNextPair() public {
        OzVault vault = new OzVault(a, 0);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (address(executor), 7)));
        bytes memory program = bytes.concat(
            Program.table(address(vault)),
            Program.erc4626(0, 2, 0, address(vault), true),
            Program.v2(2, 1, 0, address(hostile), true, 3000)
        );
        vm.expectCall(address(vault), abi.encodeWithSelector(TestToken.transfer.selector), 0);
        assertEq(swap(a, AMOUNT, b, program), 7);
        assertEq(vault.balanceOf(address(hostile)), AMOUNT);
    }
}
