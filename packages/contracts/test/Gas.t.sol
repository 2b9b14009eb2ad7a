// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {CamelotFactoryDouble, CamelotPairDouble} from "../src/testing/CamelotDouble.sol";
import {CryptoSettings, CurveCryptoDouble, CurveCryptoFactoryDouble} from "../src/testing/CurveCryptoDouble.sol";
import {LadderDouble, LadderFactoryDouble} from "../src/testing/LadderDouble.sol";
import {SolidlyFactoryDouble} from "../src/testing/SolidlyDouble.sol";
import {CurveFactoryDouble, StableSwapDouble, StableSwapSettings} from "../src/testing/CurveStableSwapDouble.sol";
import {StakingManagerDouble} from "../src/testing/StakingManagerDouble.sol";
import {SovereignPoolDouble, StepsFeeDouble, StexDouble, StexFactoryDouble} from "../src/testing/StexDouble.sol";
import {PoolKey} from "../src/swaps/UniswapV4.sol";
import {TestToken} from "../src/testing/TestToken.sol";
import {IV3Pool} from "./base/Amm.sol";
import {BalancerV2Vault} from "./base/BalancerV2Vault.sol";
import {BalancerVault} from "./base/BalancerVault.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";
import {OzVault, SolmateVault} from "./swaps/Erc4626.t.sol";

/// @title Gas of whole transactions, each with cold storage, recorded in snapshots/.
/// @dev `used.json` has the gas paid; `limit.json` has the lowest gas limit that suffices.
/// forge-config: default.isolate = true
contract GasTest is Base {
    address internal ladder;

    function setUp() public override {
        super.setUp();
        // Initialised ticks every 60, three bitmap words wide at most.
        ladder = createV3(b, c, 3000, 1_000e18);
        for (int24 width = 60; width <= 1200; width += 60) {
            if (width != 600) addV3(ladder, width, 100e18);
        }
        fund(alice, a, 10_000e18);
        fund(alice, b, 10_000e18);
        fund(alice, whype, 100e18);
        fund(alice, NATIVE, 100e18);
        give(c, alice, 1);
        // Trade once in each pool, so that its price sums and fee growths are not 0.
        vm.warp(block.timestamp + 1);
        swap(a, 1e18, b, hopV2(pairAB, a));
        swap(a, 1e18, b, hopV3(poolAB, a));
        swap(b, 1e18, a, hopV3(poolAB, b));
        swap(b, 1e18, c, hopV3(poolBC, b));
        swap(b, 1e18, c, hopV2(pairBC, b));
        swap(b, 1e18, c, hopV3(ladder, b));
        swap(a, 1e18, whype, hopV2(pairAW, a));
        vm.warp(block.timestamp + 1);
    }

    function measure(string memory name, address tokenIn, uint256 amountIn, address tokenOut, bytes memory program)
        private
    {
        uint256 id = vm.snapshotState();
        swap(tokenIn, amountIn, tokenOut, program);
        uint256 used = vm.snapshotGasLastCall("used", name);
        // Refunds come at the end, so the limit must include them.
        vm.snapshotValue("limit", name, used + uint256(int256(vm.lastCallGas().gasRefunded)));
        vm.revertToState(id);
    }

    function all(uint8 from, uint8 to, address pool, address tokenIn, bool v3)
        private
        view
        returns (bytes memory)
    {
        return part(from, to, Program.ALL, pool, tokenIn, v3);
    }

    function part(uint8 from, uint8 to, uint24 share, address pool, address tokenIn, bool v3)
        private
        view
        returns (bytes memory)
    {
        bool zeroForOne = isZero(pool, tokenIn);
        return v3
            ? Program.v3(from, to, share, pool, zeroForOne)
            : Program.v2(from, to, share, pool, zeroForOne, 3000);
    }

    /// Doubles of pairs that quote on chain; the originals also store a price average.
    function test_gasOfQuotingPairs() public {
        TestToken(a).initialize("A", "A", 18);
        TestToken(b).initialize("B", "B", 18);
        SolidlyFactoryDouble factory = new SolidlyFactoryDouble(0);
        CamelotPairDouble camelot = CamelotPairDouble(new CamelotFactoryDouble().createPair(a, b));
        address volatilePair = factory.createPair(a, b, false);
        address stablePair = factory.createPair(a, b, true);
        measurePair("solidly, volatile", volatilePair);
        measurePair("solidly, stable", stablePair);
        measurePair("camelot", address(camelot));
        camelot.setStableSwap(true);
        measurePair("camelot, stable", address(camelot));
    }

    /// A double; the other costs of a real pool, besides its two transfers, are unknown.
    function test_gasOfSampledPools() public {
        LadderDouble pool = LadderDouble(new LadderFactoryDouble().createPool(a, b));
        pool.setDepths(1e24, 1e24);
        give(a, address(pool), 1e24);
        give(b, address(pool), 1e24);
        bytes memory hop = Program.ladder(0, 1, Program.ALL, address(pool), true);
        measure("ladder", a, 1e18, b, bytes.concat(Program.table(), hop));
        hop = Program.rated(hop, 1e15, -18);
        measure("ladder, with a least rate", a, 1e18, b, bytes.concat(Program.table(), hop));
    }

    /// A double with the same number of contracts; on chain, proxies and lending cost more.
    function test_gasOfStakedPools() public {
        measureStaked("ratio", StexDouble(new StexFactoryDouble().create(a, b, false)).pool());
        StexDouble stepwise = StexDouble(new StexFactoryDouble().create(a, b, true));
        uint32[] memory steps = new uint32[](5);
        (steps[0], steps[1], steps[2], steps[3], steps[4]) = (3, 20, 50, 200, 500);
        StepsFeeDouble(stepwise.pool().swapFeeModule()).setFee(1e22, 2e23, steps);
        measureStaked("steps", stepwise.pool());
    }

    function measureStaked(string memory name, SovereignPoolDouble pool) private {
        pool.setPoolManagerFeeBips(2_000);
        give(a, address(pool), 1e23);
        give(b, address(pool), 1e23);
        bytes memory unstake =
            bytes.concat(Program.table(), Program.stex(0, 1, Program.ALL, address(pool), true));
        bytes memory stake =
            bytes.concat(Program.table(), Program.stex(0, 1, Program.ALL, address(pool), false));
        swap(a, 1e18, b, unstake);
        measure(string.concat("stex unstake, ", name), a, 1e18, b, unstake);
        measure(string.concat("stex stake, ", name), b, 1e18, a, stake);
    }

    /// A double, for what the executor itself uses; the original is behind proxies and burns what it takes.
    function test_gasOfInstantUnstake() public {
        StakingManagerDouble manager_ = new StakingManagerDouble(a);
        manager_.instantUnstakePool().setInstantUnstakeFeeRate(10);
        deal(address(manager_.instantUnstakePool()), 1e24);
        bytes memory program =
            bytes.concat(Program.table(), Program.instantUnstake(0, 1, Program.ALL, address(manager_)));
        swap(a, 1e18, whype, program);
        measure("instant unstake", a, 1e18, whype, program);
    }

    /// A double of two and of three coins; a pool of Curve also stores averages of prices and of D.
    function test_gasOfStableSwapPools() public {
        measureCurve("curve, plain, 2 coins", 2, false);
        measureCurve("curve, ng, 2 coins", 2, true);
        measureCurve("curve, ng, 3 coins", 3, true);
    }

    function measureCurve(string memory name, uint256 count, bool isNg) private {
        (address[3] memory all, address[] memory coins) = ([a, b, c], new address[](count));
        uint256[] memory rates = new uint256[](count);
        for (uint256 k = 0; k < count; k++) (coins[k], rates[k]) = (all[k], 1e18);
        StableSwapDouble pool = StableSwapDouble(
            new CurveFactoryDouble().create(
                coins, rates, isNg, StableSwapSettings(200_00, 100, 4e6, isNg ? 2e10 : 0, 5e9)
            )
        );
        for (uint256 k = 0; k < count; k++) give(coins[k], address(pool), (k + 1) * 1e24);
        pool.fill();
        bytes memory program =
            bytes.concat(Program.table(), Program.curve(0, 1, Program.ALL, address(pool), 0, 1));
        swap(a, 1e18, b, program);
        measure(name, a, 1e18, b, program);
    }

    /// A double of two and of three coins; a pool of Curve also keeps averages and moves its price scales.
    function test_gasOfCryptoPools() public {
        measureCrypto("curve crypto, 2 coins", 2);
        measureCrypto("curve crypto, 3 coins", 3);
    }

    function measureCrypto(string memory name, uint256 count) private {
        (address[3] memory all, address[] memory coins) = ([a, b, c], new address[](count));
        (uint256[] memory ones, uint256[] memory scales) = (new uint256[](count), new uint256[](count - 1));
        for (uint256 k = 0; k < count; k++) (coins[k], ones[k]) = (all[k], 1);
        for (uint256 k = 1; k < count; k++) scales[k - 1] = 1e18;
        CryptoSettings memory settings = CryptoSettings(2_700_000, 1e15, 1e6, 1e7, 5e15, 1e12);
        CurveCryptoDouble pool =
            CurveCryptoDouble(new CurveCryptoFactoryDouble().create(coins, ones, scales, settings));
        for (uint256 k = 0; k < count; k++) give(coins[k], address(pool), (k + 1) * 1e24);
        pool.fill();
        bytes memory program =
            bytes.concat(Program.table(), Program.crypto(0, 1, Program.ALL, address(pool), 0, 1));
        swap(a, 1e18, b, program);
        measure(name, a, 1e18, b, program);
    }

    /// A double without an oracle; a pair of Liquidity Book writes one or two slots more.
    function test_gasOfBins() public {
        address pair = createBins(a, b, 1e18);
        bytes memory program =
            bytes.concat(Program.table(), Program.liquidityBook(0, 1, Program.ALL, pair, true));
        swap(a, 1e17, b, program);
        measure("liquidity book", a, 1e17, b, program);
        measure("liquidity book, 5 bins", a, 45e17, b, program);
        measure("liquidity book, 9 bins", a, 85e17, b, program);
    }

    /// A double of the vault, for what the executor itself uses; Balancer's own needs three times as much.
    function test_gasOfUnlocking() public {
        BalancerVault vault = new BalancerVault();
        give(a, address(vault), 1e24);
        give(b, address(vault), 1e24);
        bytes memory program =
            bytes.concat(Program.table(), Program.balancerV3(0, 1, Program.ALL, address(vault.create(a, b))));
        swap(a, 1e18, b, program);
        measure("balancer v3, double of the vault", a, 1e18, b, program);
    }

    function test_gasOfUniswapV4() public {
        deployManager();
        PoolKey memory key = keyOf(a, b, 3000, address(0));
        createV4(key, 10_000e18);
        bytes memory program = bytes.concat(
            Program.table(), Program.uniswapV4(0, 1, Program.ALL, address(manager), a < b ? 1 : 0, 3000, 60, address(0))
        );
        measureBoth("v4", a, b, program, 10e18, 1_000e18);
        createV4(keyOf(address(0), b, 3000, address(0)), 10_000e18);
        program = bytes.concat(
            Program.table(), Program.uniswapV4(0, 1, Program.ALL, address(manager), 3, 3000, 60, address(0))
        );
        measureBoth("v4, native in", whype, b, program, 10e18, 0);
        program = bytes.concat(
            Program.table(), Program.uniswapV4(0, 1, Program.ALL, address(manager), 2, 3000, 60, address(0))
        );
        measureBoth("v4, native out", b, whype, program, 10e18, 0);
    }

    /// After a swap, so that the fee growths and the manager's balances are not 0.
    function measureBoth(
        string memory name,
        address tokenIn,
        address tokenOut,
        bytes memory program,
        uint256 amountIn,
        uint256 acrossATick
    ) private {
        swap(tokenIn, 1e18, tokenOut, program);
        measure(name, tokenIn, amountIn, tokenOut, program);
        if (acrossATick != 0) measure(string.concat(name, ", 1 tick"), tokenIn, acrossATick, tokenOut, program);
    }

    /// A double of the vault, with the preview of OpenZeppelin's vault.
    function test_gasOfBuffers() public {
        BalancerVault vault = new BalancerVault();
        OzVault wrapped = new OzVault(b, 0);
        give(b, address(this), 1e24);
        TestToken(b).approve(address(wrapped), 1e24);
        wrapped.deposit(1e24, address(vault));
        give(b, address(vault), 1e24);
        vault.createBuffer(b, address(wrapped), address(wrapped));
        bytes memory program =
            bytes.concat(Program.table(), Program.balancerBuffer(0, 1, Program.ALL, address(vault), true));
        swap(b, 1e18, address(wrapped), program);
        measure("balancer buffer, double of the vault", b, 1e18, address(wrapped), program);
    }

    /// A double of the vault, for what the executor itself uses.
    function test_gasOfBalancerV2() public {
        BalancerV2Vault vault = new BalancerV2Vault();
        give(a, address(vault), 1e24);
        give(b, address(vault), 1e24);
        bytes memory program =
            bytes.concat(Program.table(), Program.balancerV2(0, 1, Program.ALL, address(vault.create(a, b))));
        swap(a, 1e18, b, program);
        measure("balancer v2, double of the vault", a, 1e18, b, program);
    }

    function test_gasOfVaults() public {
        measureVault("openzeppelin", address(new OzVault(b, 0)));
        measureVault("solmate", address(new SolmateVault(b)));
    }

    /// A vault hop alone, after a pair, and before a pair that the vault pays.
    function measureVault(string memory name, address vault) private {
        fund(alice, b, 1e24);
        swap(b, 10e18, vault, bytes.concat(Program.table(), Program.erc4626(0, 1, Program.ALL, vault, true)));
        vm.prank(alice);
        TestToken(vault).approve(address(router), type(uint256).max);
        bytes memory deposit = bytes.concat(Program.table(), Program.erc4626(0, 1, Program.ALL, vault, true));
        measure(string.concat("deposit, ", name), b, 1e18, vault, deposit);
        measure(
            string.concat("v2 deposit, ", name),
            a,
            1e18,
            vault,
            bytes.concat(
                Program.table(b), all(0, 2, pairAB, a, false), Program.erc4626(2, 1, Program.ALL, vault, true)
            )
        );
        measure(
            string.concat("redeem, ", name),
            vault,
            1e18,
            b,
            bytes.concat(Program.table(), Program.erc4626(0, 1, Program.ALL, vault, false))
        );
        measure(
            string.concat("redeem v2, ", name),
            vault,
            1e18,
            a,
            bytes.concat(
                Program.table(b), Program.erc4626(0, 2, Program.ALL, vault, false), all(2, 1, pairAB, b, false)
            )
        );
    }

    function measurePair(string memory name, address pair) private {
        give(a, pair, 1_000_000e18);
        give(b, pair, 1_100_000e18);
        CamelotPairDouble(pair).mint(alice);
        bytes memory program =
            bytes.concat(Program.table(), Program.solidly(0, 1, Program.ALL, pair, isZero(pair, a)));
        swap(a, 1e18, b, program);
        measure(name, a, 1e18, b, program);
    }

    function test_gas() public {
        measure("wrap", NATIVE, 1e18, whype, Program.table());
        measure("unwrap", whype, 1e18, NATIVE, Program.table());
        measure("v2", a, 1e18, b, hopV2(pairAB, a));
        measure("v2, native out", a, 1e18, NATIVE, hopV2(pairAW, a));
        measure("v2, native in", NATIVE, 1e18, a, hopV2(pairAW, whype));
        measure("v3", a, 1e18, b, hopV3(poolAB, a));
        bytes memory head = Program.table(b);
        measure("v2 v2", a, 1e18, c, bytes.concat(head, all(0, 2, pairAB, a, false), all(2, 1, pairBC, b, false)));
        measure("v3 v3", a, 1e18, c, bytes.concat(head, all(0, 2, poolAB, a, true), all(2, 1, poolBC, b, true)));
        measure(
            "v2 | v3",
            a,
            1e18,
            b,
            bytes.concat(
                Program.table(),
                part(0, 1, Program.HALF, pairAB, a, false),
                all(0, 1, poolAB, a, true)
            )
        );
        measure(
            "(v2 | v3) (v2 | v3)",
            a,
            1e18,
            c,
            bytes.concat(
                head,
                part(0, 2, Program.HALF, pairAB, a, false),
                all(0, 2, poolAB, a, true),
                part(2, 1, Program.HALF, pairBC, b, false),
                all(2, 1, poolBC, b, true)
            )
        );
    }

    /// Ticks of the ladder on their first crossing, then on a later one.
    function test_gasOfTicks() public {
        measureTicks(0, 1e18, "fresh");
        measureTicks(5, 60e18, "fresh");
        measureTicks(10, 110e18, "fresh");
        fund(alice, c, 10_000e18);
        swap(b, 200e18, c, hopV3(ladder, b));
        // Move the price back to its start, the middle of the innermost positions.
        uint160 limit = PRICE_ONE;
        hitLimit = true;
        IV3Pool(ladder).swap(address(this), !isZero(ladder, b), 10_000e18, limit, "");
        vm.warp(block.timestamp + 1);
        measureTicks(5, 60e18, "used");
        measureTicks(10, 110e18, "used");
    }

    bool private hitLimit;

    function uniswapV3SwapCallback(int256 x, int256 y, bytes calldata) external override {
        if (!hitLimit) return undo(x, y);
        if (x > 0) give(IV3Pool(msg.sender).token0(), msg.sender, uint256(x));
        else give(IV3Pool(msg.sender).token1(), msg.sender, uint256(y));
    }

    function measureTicks(int24 ticks, uint256 amountIn, string memory kind) private {
        int24 start = tickOf();
        uint256 id = vm.snapshotState();
        swap(b, amountIn, c, hopV3(ladder, b));
        int24 moved = tickOf() / 60 - start / 60;
        assertEq(moved < 0 ? -moved : moved, ticks, "ticks crossed");
        vm.revertToState(id);
        string memory count = vm.toString(int256(ticks));
        measure(string.concat("v3, ", count, " ", kind, " ticks"), b, amountIn, c, hopV3(ladder, b));
    }

    function tickOf() private view returns (int24 tick) {
        (, tick,,,,,) = IV3Pool(ladder).slot0();
    }
}
