// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {DeployPermit2} from "permit2/test/utils/DeployPermit2.sol";
import {TestToken} from "../src/testing/TestToken.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";
import {Sign} from "./base/Sign.sol";

interface IV2Router {
    function swapExactTokensForTokens(uint256, uint256, address[] calldata, address, uint256)
        external
        returns (uint256[] memory);
}

interface IV3Router {
    struct ExactInputParams {
        bytes path;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
    }

    function exactInput(ExactInputParams calldata) external returns (uint256);
}

interface IUniversalRouter {
    function execute(bytes calldata commands, bytes[] calldata inputs, uint256 deadline) external payable;
}

interface IStandingPermit2 {
    function approve(address token, address spender, uint160 amount, uint48 expiration) external;
}

/// @title Gas of the same swaps through the venues' own routers and Uniswap's aggregator of them.
/// @dev `snapshots/venues.json` has the gas of whole transactions, ours, theirs and the universal router's
/// with a standing approval in Permit2, and our ratio to both in thousandths.
/// forge-config: default.isolate = true
contract GasTestVenues is Base {
    uint256 internal constant AMOUNT = 1e18;
    address internal v2Router;
    address internal v3Router;
    address internal universal;
    address[4] internal chain;
    address[3] internal pairs;
    address[3] internal pools;

    function setUp() public override {
        super.setUp();
        v2Router = deploy(
            readCode("node_modules/@uniswap/v2-periphery/build/UniswapV2Router02.json"),
            abi.encode(v2Factory, whype)
        );
        v3Router = deploy(
            readCode(
                "node_modules/@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json"
            ),
            abi.encode(v2Factory, v3Factory, address(0), whype)
        );
        new DeployPermit2().run();
        universal = deployUniversal();
        address d = address(new TestToken());
        chain = [a, b, c, d];
        pairs = [pairAB, pairBC, createV2(c, 1_000e18, d, 1_000e18)];
        pools = [
            createV3(a, b, 500, 10_000e18), poolBC, createV3(c, d, 500, 10_000e18)
        ];
        address[3] memory spenders = [address(router), v2Router, v3Router];
        give(a, alice, 1_000e18);
        for (uint256 i = 0; i < spenders.length; i++) {
            vm.prank(alice);
            TestToken(a).approve(spenders[i], type(uint256).max);
        }
        vm.startPrank(alice);
        TestToken(a).approve(Sign.PERMIT2, type(uint256).max);
        IStandingPermit2(Sign.PERMIT2).approve(a, universal, type(uint160).max, type(uint48).max);
        vm.stopPrank();
        // All accounts own some of the output tokens, and every pool has traded.
        for (uint256 i = 1; i < 4; i++) {
            give(chain[i], alice, 1);
            vm.warp(block.timestamp + 1);
            swap(a, AMOUNT, chain[i], program(i, false));
            swap(a, AMOUNT, chain[i], program(i, true));
        }
        vm.warp(block.timestamp + 1);
    }

    /// It finds pools by the hash of their creation code. What it needs for other venues is left out.
    function deployUniversal() private returns (address) {
        bytes32 pairHash = keccak256(readCode("node_modules/@uniswap/v2-core/build/UniswapV2Pair.json"));
        bytes32 poolHash = keccak256(
            readCode("node_modules/@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json")
        );
        bytes memory ends = abi.encode(Sign.PERMIT2, whype, v2Factory, v3Factory, pairHash, poolHash);
        bytes memory others = abi.encode(address(0), address(0), address(0), address(0));
        return deploy(
            readCode(
                "node_modules/@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter.json"
            ),
            bytes.concat(ends, others)
        );
    }

    function program(uint256 hops, bool v3) private view returns (bytes memory bytes_) {
        bytes_ = abi.encodePacked(uint8(hops - 1));
        for (uint256 i = 1; i < hops; i++) bytes_ = abi.encodePacked(bytes_, chain[i]);
        for (uint256 i = 0; i < hops; i++) {
            uint8 from = i == 0 ? Program.IN : uint8(i + 1);
            uint8 to = i == hops - 1 ? Program.OUT : uint8(i + 2);
            address pool = v3 ? pools[i] : pairs[i];
            bool zero = isZero(pool, chain[i]);
            bytes_ = bytes.concat(
                bytes_,
                v3
                    ? Program.v3(from, to, Program.ALL, pool, zero)
                    : Program.v2(from, to, Program.ALL, pool, zero, 3000)
            );
        }
    }

    function theirs(uint256 hops, bool v3) private returns (uint256 amountOut) {
        vm.prank(alice);
        if (v3) {
            return IV3Router(v3Router).exactInput(
                IV3Router.ExactInputParams(packedPath(hops), alice, AMOUNT, 1)
            );
        }
        return IV2Router(v2Router).swapExactTokensForTokens(
            AMOUNT, 1, path(hops), alice, block.timestamp
        )[hops];
    }

    /// One command that Permit2 pays for: 0 is a swap of an exact input in V3 pools, 8 in V2 pairs.
    function universals(uint256 hops, bool v3) private returns (uint256 amountOut, uint256 gas) {
        bytes[] memory inputs = new bytes[](1);
        inputs[0] = v3
            ? abi.encode(alice, AMOUNT, 1, packedPath(hops), true)
            : abi.encode(alice, AMOUNT, 1, path(hops), true);
        uint256 before = balance(chain[hops], alice);
        bytes memory commands = abi.encodePacked(v3 ? bytes1(0) : bytes1(0x08));
        vm.prank(alice);
        IUniversalRouter(universal).execute(commands, inputs, block.timestamp);
        gas = charged();
        amountOut = balance(chain[hops], alice) - before;
    }

    function packedPath(uint256 hops) private view returns (bytes memory packed) {
        packed = abi.encodePacked(chain[0]);
        for (uint256 i = 0; i < hops; i++) packed = abi.encodePacked(packed, uint24(500), chain[i + 1]);
    }

    function path(uint256 hops) private view returns (address[] memory tokens) {
        tokens = new address[](hops + 1);
        for (uint256 i = 0; i <= hops; i++) tokens[i] = chain[i];
    }

    function charged() private view returns (uint256) {
        return vm.lastCallGas().gasTotalUsed;
    }

    function compare(string memory name, uint256 hops, bool v3) private {
        bytes memory ours = program(hops, v3);
        uint256 id = vm.snapshotState();
        uint256 amountOut = swap(a, AMOUNT, chain[hops], ours);
        uint256 own = charged();
        vm.revertToState(id);
        assertEq(theirs(hops, v3), amountOut, "the same swap");
        uint256 other = charged();
        vm.revertToState(id);
        record(name, "ours", own);
        record(name, "theirs", other);
        record(name, "thousandths", own * 1000 / other);
        uint256 out;
        (out, other) = universals(hops, v3);
        assertEq(out, amountOut, "the same swap by the universal router");
        vm.revertToState(id);
        record(name, "universal", other);
        record(name, "thousandths of universal", own * 1000 / other);
    }

    function record(string memory name, string memory what, uint256 value) private {
        vm.snapshotValue("venues", string.concat(name, ", ", what), value);
    }

    function test_gasAgainstTheVenues() public {
        for (uint256 hops = 1; hops <= 3; hops++) {
            string memory count = vm.toString(hops);
            compare(string.concat("v2, ", count), hops, false);
            compare(string.concat("v3, ", count), hops, true);
        }
    }
}
