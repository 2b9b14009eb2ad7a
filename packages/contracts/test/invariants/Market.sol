// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {DeployPermit2} from "permit2/test/utils/DeployPermit2.sol";
import {Executor} from "../../src/Executor.sol";
import {Router} from "../../src/Router.sol";
import {CurveFactoryDouble, StableSwapDouble, StableSwapSettings} from "../../src/testing/CurveStableSwapDouble.sol";
import {CryptoSettings, CurveCryptoDouble, CurveCryptoFactoryDouble} from "../../src/testing/CurveCryptoDouble.sol";
import {LadderDouble, LadderFactoryDouble} from "../../src/testing/LadderDouble.sol";
import {SolidlyFactoryDouble, SolidlyPairDouble} from "../../src/testing/SolidlyDouble.sol";
import {StakingManagerDouble} from "../../src/testing/StakingManagerDouble.sol";
import {SovereignPoolDouble, StexDouble, StexFactoryDouble} from "../../src/testing/StexDouble.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {BalancerV2Vault} from "../base/BalancerV2Vault.sol";
import {BalancerVault} from "../base/BalancerVault.sol";
import {Manager} from "../base/Manager.sol";
import {Program} from "../base/Program.sol";
import {Accomplice, HostilePool} from "../hostile/HostilePool.sol";
import {Caller} from "../hostile/Receivers.sol";
import {OzVault} from "../swaps/Erc4626.t.sol";
import {WatchedToken} from "../hostile/WatchedToken.sol";
import {Oddity, WeirdToken} from "../hostile/WeirdToken.sol";

/// @title A market of honest and hostile pools, tokens and accounts, for the fuzz suites.
abstract contract Market is Manager {
    address internal constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    struct Honest {
        address pool;
        uint8 opcode;
        address x;
        address y;
    }

    Router public router;
    Executor public executor;
    address internal whype;
    /// Three watched tokens and the wrapped native token.
    address[4] internal tokens;
    Honest[] internal pools;
    /// A vault of the first token; orders do not name its shares.
    address internal vault;
    WeirdToken internal weird;
    address internal weirdPair;
    HostilePool internal hostile;
    Accomplice internal accomplice;
    /// Calls back when it is paid.
    Caller internal caller;
    address internal permit2;
    /// The last one is the victim: it has approved everything and never acts.
    address[4] internal people;
    uint256[4] internal keys;
    /// Hops of the programs that went through: by opcode, through the honest pools and the hostile one.
    mapping(uint256 opcode => uint256[2]) public performed;

    function build() internal {
        deployAmm();
        whype = deployWrappedNative();
        router = new Router(whype);
        executor = new Executor(address(router));
        for (uint256 i = 0; i < 3; i++) {
            tokens[i] = address(new WatchedToken(address(router), address(executor)));
        }
        tokens[3] = whype;
        for (uint256 i = 0; i < 4; i++) {
            for (uint256 j = i + 1; j < 4; j++) {
                (address x, address y) = (tokens[i], tokens[j]);
                pools.push(Honest(createV2(x, 1e24, y, 1e24), 1, x, y));
                if (i + j != 4) pools.push(Honest(createV3(x, y, 3000, 1e24), 2, x, y));
            }
        }
        SolidlyFactoryDouble solidly = new SolidlyFactoryDouble(0);
        for (uint256 i = 0; i < 2; i++) {
            (address x, address y) = (tokens[i], tokens[i + 1]);
            address pair = solidly.createPair(x, y, i == 0);
            give(x, pair, 1e24);
            give(y, pair, 1e24);
            SolidlyPairDouble(pair).mint(address(this));
            pools.push(Honest(pair, 3, x, y));
        }
        LadderDouble sampled = LadderDouble(new LadderFactoryDouble().createPool(tokens[0], tokens[1]));
        sampled.setDepths(1e24, 1e24);
        give(tokens[0], address(sampled), 1e24);
        give(tokens[1], address(sampled), 1e24);
        pools.push(Honest(address(sampled), 6, tokens[0], tokens[1]));
        SovereignPoolDouble staked = StexDouble(new StexFactoryDouble().create(tokens[1], tokens[2], false)).pool();
        give(tokens[1], address(staked), 1e24);
        give(tokens[2], address(staked), 1e24);
        pools.push(Honest(address(staked), 5, tokens[1], tokens[2]));
        pools.push(Honest(createStableSwap(tokens[0], tokens[2]), 7, tokens[0], tokens[2]));
        pools.push(Honest(createCrypto(tokens[0], tokens[1]), 11, tokens[0], tokens[1]));
        pools.push(Honest(createBins(tokens[0], tokens[2], 1e22), 8, tokens[0], tokens[2]));
        pools.push(Honest(createBalancerV3(tokens[1], tokens[2]), 9, tokens[1], tokens[2]));
        deployManager();
        createV4(keyOf(tokens[0], tokens[1], 3000, address(0)), 1e24);
        pools.push(Honest(address(manager), 10, tokens[0], tokens[1]));
        // A pool of the native token, which programs name by the wrapped one.
        createV4(keyOf(address(0), tokens[2], 3000, address(0)), 1e24);
        pools.push(Honest(address(manager), 10, whype, tokens[2]));
        pools.push(Honest(createBalancerV2(tokens[0], tokens[1]), 12, tokens[0], tokens[1]));
        vault = address(new OzVault(tokens[0], 0));
        give(tokens[0], address(this), 1e24);
        TestToken(tokens[0]).approve(vault, 1e24);
        OzVault(vault).deposit(1e24, address(this));
        pools.push(Honest(createBuffer(tokens[0], tokens[2]), 13, tokens[0], tokens[2]));
        // It sells the native token only.
        StakingManagerDouble unstaking = new StakingManagerDouble(tokens[1]);
        deal(address(unstaking.instantUnstakePool()), 1e24);
        pools.push(Honest(address(unstaking), 14, tokens[1], whype));
        weird = new WeirdToken(Oddity.None);
        weirdPair = createV2(address(weird), 1e24, tokens[0], 1e24);
        hostile = new HostilePool();
        accomplice = new Accomplice();
        caller = new Caller();
        permit2 = new DeployPermit2().run();
        string[4] memory names = ["ann", "ben", "cal", "victim"];
        for (uint256 i = 0; i < 4; i++) {
            (people[i], keys[i]) = makeAddrAndKey(names[i]);
            equip(people[i]);
        }
        equip(address(hostile));
        equip(address(caller));
    }

    function createBalancerV3(address x, address y) private returns (address) {
        BalancerVault balancer = new BalancerVault();
        give(x, address(balancer), 1e24);
        give(y, address(balancer), 1e24);
        return address(balancer.create(x, y));
    }

    /// A buffer that converts as the market's vault does.
    function createBuffer(address asset, address share) private returns (address) {
        BalancerVault balancer = new BalancerVault();
        give(asset, address(balancer), 1e24);
        give(share, address(balancer), 1e24);
        balancer.createBuffer(asset, share, vault);
        return address(balancer);
    }

    function createBalancerV2(address x, address y) private returns (address) {
        BalancerV2Vault balancer = new BalancerV2Vault();
        give(x, address(balancer), 1e24);
        give(y, address(balancer), 1e24);
        return address(balancer.create(x, y));
    }

    function createStableSwap(address x, address y) private returns (address pool) {
        (address[] memory coins, uint256[] memory rates) = (new address[](2), new uint256[](2));
        (coins[0], coins[1], rates[0], rates[1]) = (x, y, 1e18, 1e18);
        pool = new CurveFactoryDouble().create(coins, rates, true, StableSwapSettings(200_00, 100, 4e6, 2e10, 5e9));
        give(x, pool, 1e24);
        give(y, pool, 1e24);
        StableSwapDouble(pool).fill();
    }

    function createCrypto(address x, address y) private returns (address pool) {
        (address[] memory coins, uint256[] memory scales) = (new address[](2), new uint256[](1));
        (coins[0], coins[1], scales[0]) = (x, y, 1e18);
        uint256[] memory precisions = new uint256[](2);
        (precisions[0], precisions[1]) = (1, 1);
        CryptoSettings memory settings = CryptoSettings(20_000_000, 1e15, 1e6, 1e7, 5e15, 1e12);
        pool = new CurveCryptoFactoryDouble().create(coins, precisions, scales, settings);
        give(x, pool, 1e24);
        give(y, pool, 1e24);
        CurveCryptoDouble(pool).fill();
    }

    /// The byte after the pool: which token goes in, or the indices of both coins. Pairs of bins do not
    /// sort their tokens.
    function flagOf(Honest memory pool, address x) private view returns (uint8) {
        if (pool.opcode == 9 || pool.opcode == 12) return 0;
        if (pool.opcode == 10) {
            if (pool.x == whype) return x == whype ? 3 : 2;
            return x < (x == pool.x ? pool.y : pool.x) ? 1 : 0;
        }
        if (pool.opcode == 7 || pool.opcode == 11) return x == pool.x ? 0x01 : 0x10;
        if (pool.opcode == 8 || pool.opcode >= 13) return x == pool.x ? 1 : 0;
        return isZero(pool.pool, x) ? 1 : 0;
    }

    function equip(address account) private {
        for (uint256 i = 0; i < 4; i++) {
            give(tokens[i], account, 1e30);
            approve(tokens[i], account);
        }
        weird.mint(account, 1e30);
        approve(address(weird), account);
        deal(account, 1e30);
    }

    /// Approves the router and Permit2 without limit, the worst case of a standing approval.
    function approve(address token, address account) internal {
        vm.startPrank(account);
        TestToken(token).approve(address(router), type(uint256).max);
        TestToken(token).approve(permit2, type(uint256).max);
        vm.stopPrank();
    }

    function give(address token, address to, uint256 amount) internal override {
        if (token != whype) return super.give(token, to, amount);
        deal(address(this), address(this).balance + amount);
        (bool ok,) = whype.call{value: amount}("");
        require(ok && TestToken(whype).transfer(to, amount), "wrapping failed");
    }

    function balance(address token, address account) internal view returns (uint256) {
        if (token == address(weird)) return weird.trueBalanceOf(account);
        return token == NATIVE ? account.balance : TestToken(token).balanceOf(account);
    }

    function wrapped(address token) internal view returns (address) {
        return token == NATIVE ? whype : token;
    }

    function countHops(bytes memory program) internal {
        if (program.length == 0) return;
        for (uint256 at = 1 + 20 * uint256(uint8(program[0])); at + 26 <= program.length;) {
            uint256 word;
            assembly { word := mload(add(add(program, 32), add(at, 6))) }
            uint8 opcode = uint8(program[at + 5] & 0x7f);
            performed[opcode][address(uint160(word >> 96)) == address(hostile) ? 1 : 0]++;
            at += Program.hop(opcode, 0, 0, 0, address(0)).length + (uint8(program[at + 5]) > 0x7f ? 8 : 0);
        }
    }

    /// Appends a line with the hops that this run performed to the file that `INVARIANT_COUNTS` names:
    /// the suite, then for each opcode `opcode:honest:hostile`.
    function report(string memory suite) external {
        string memory path = vm.envOr("INVARIANT_COUNTS", string(""));
        if (bytes(path).length == 0) return;
        uint8[] memory opcodes = Program.opcodes();
        string memory line = suite;
        for (uint256 i = 0; i < opcodes.length; i++) {
            uint256[2] memory counts =
                [performed[opcodes[i]][0], performed[opcodes[i]][1]];
            string memory part = string.concat(
                " ", vm.toString(opcodes[i]), ":", vm.toString(counts[0]), ":", vm.toString(counts[1])
            );
            line = string.concat(line, part);
        }
        vm.writeLine(path, line);
    }

    /// One of the four tokens, or the native one.
    function pickToken(uint256 seed) internal view returns (address) {
        return seed % 5 == 4 ? NATIVE : tokens[seed % 5];
    }

    function next(uint256 seed) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed)));
    }

    /// Hops that sell all of token `from` for token `to`, split at random over all pools of the two.
    function stage(uint8 from, address x, uint8 to, address y, uint256 seed)
        internal
        view
        returns (bytes memory hops)
    {
        uint256 last = type(uint256).max;
        for (uint256 i = 0; i < pools.length; i++) {
            if (joins(pools[i], x, y)) last = i;
        }
        for (uint256 i = 0; i < pools.length; i++) {
            if (!joins(pools[i], x, y)) continue;
            seed = next(seed);
            uint24 share = i == last ? 0 : uint24(seed | 1);
            bytes memory hop = hopOf(pools[i], from, x, to, share);
            // A hop that pays a thousandth passes, as nearly all do.
            hops = bytes.concat(hops, seed >> 24 & 3 == 0 ? Program.rated(hop, 1, -3) : hop);
        }
    }

    /// A hop that sells all of token `from` for token `to` through one random pool of the two.
    function leg(uint8 from, address x, uint8 to, address y, uint256 seed)
        internal
        view
        returns (bytes memory)
    {
        for (uint256 i = seed % pools.length;; i = (i + 1) % pools.length) {
            if (!joins(pools[i], x, y)) continue;
            return hopOf(pools[i], from, x, to, 0);
        }
    }

    /// A hop through a pool that sells its token `x`.
    function hopOf(Honest memory pool, uint8 from, address x, uint8 to, uint24 share)
        private
        view
        returns (bytes memory)
    {
        uint8 flag = flagOf(pool, x);
        if (pool.opcode == 1) return Program.v2(from, to, share, pool.pool, flag == 1, 3000);
        if (pool.opcode == 10) return Program.uniswapV4(from, to, share, pool.pool, flag, 3000, 60, address(0));
        return abi.encodePacked(from, to, share, pool.opcode, pool.pool, flag);
    }

    /// The pair of two tokens.
    function pairOf(address x, address y) internal view returns (address) {
        for (uint256 i = 0;; i++) {
            if (pools[i].opcode == 1 && joins(pools[i], x, y)) return pools[i].pool;
        }
    }

    function joins(Honest memory pool, address x, address y) private pure returns (bool) {
        return (pool.x == x && pool.y == y) || (pool.x == y && pool.y == x && pool.opcode != 14);
    }
}
