// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TestToken} from "../src/testing/TestToken.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";

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

/// @title Gas of the same swaps through the venues' own routers, recorded in snapshots/.
/// @dev `venues.json` has the gas of whole transactions, ours and theirs, and the ratio in thousandths.
/// forge-config: default.isolate = true
contract GasTestVenues is Base {
    uint256 internal constant AMOUNT = 1e18;
    address internal v2Router;
    address internal v3Router;
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
        // All accounts own some of the output tokens, and every pool has traded.
        for (uint256 i = 1; i < 4; i++) {
            give(chain[i], alice, 1);
            vm.warp(block.timestamp + 1);
            swap(a, AMOUNT, chain[i], program(i, false));
            swap(a, AMOUNT, chain[i], program(i, true));
        }
        vm.warp(block.timestamp + 1);
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
        if (v3) {
            bytes memory packed = abi.encodePacked(chain[0]);
            for (uint256 i = 0; i < hops; i++) {
                packed = abi.encodePacked(packed, uint24(500), chain[i + 1]);
            }
            vm.prank(alice);
            return IV3Router(v3Router).exactInput(IV3Router.ExactInputParams(packed, alice, AMOUNT, 1));
        }
        address[] memory path = new address[](hops + 1);
        for (uint256 i = 0; i <= hops; i++) path[i] = chain[i];
        vm.prank(alice);
        return IV2Router(v2Router).swapExactTokensForTokens(AMOUNT, 1, path, alice, block.timestamp)[hops];
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
        vm.snapshotValue("venues", string.concat(name, ", ours"), own);
        vm.snapshotValue("venues", string.concat(name, ", theirs"), other);
        vm.snapshotValue("venues", string.concat(name, ", thousandths"), own * 1000 / other);
    }

    function test_gasAgainstTheVenues() public {
        for (uint256 hops = 1; hops <= 3; hops++) {
            string memory count = vm.toString(hops);
            compare(string.concat("v2, ", count), hops, false);
            compare(string.concat("v3, ", count), hops, true);
        }
    }
}
