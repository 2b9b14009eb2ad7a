// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {TestToken} from "../../src/testing/TestToken.sol";

interface IV2Factory {
    function createPair(address a, address b) external returns (address);
}

interface IV2Pair {
    function token0() external view returns (address);
    function getReserves() external view returns (uint112, uint112, uint32);
    function mint(address to) external returns (uint256);
    function sync() external;
    function skim(address to) external;
    function swap(uint256, uint256, address, bytes calldata) external;
}

interface IV3Factory {
    function createPool(address a, address b, uint24 fee) external returns (address);
}

interface IV3Pool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool);
    function initialize(uint160 sqrtPriceX96) external;
    function mint(address to, int24 lower, int24 upper, uint128 amount, bytes calldata)
        external
        returns (uint256, uint256);
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata)
        external
        returns (int256, int256);
}

/// @title The real Uniswap contracts, deployed from the bytecode that their authors publish.
abstract contract Amm is Test {
    IV2Factory internal v2Factory;
    IV3Factory internal v3Factory;

    uint160 internal constant PRICE_ONE = 1 << 96;

    function deployAmm() internal {
        string memory v2 = "node_modules/@uniswap/v2-core/build/UniswapV2Factory.json";
        v2Factory = IV2Factory(deploy(readCode(v2), abi.encode(address(this))));
        string memory v3 =
            "node_modules/@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json";
        v3Factory = IV3Factory(deploy(readCode(v3), ""));
    }

    function deployWrappedNative() internal returns (address) {
        return deploy(readCode("node_modules/canonical-weth/build/contracts/WETH9.json"), "");
    }

    function readCode(string memory path) internal view returns (bytes memory) {
        return vm.parseJsonBytes(vm.readFile(path), ".bytecode");
    }

    function deploy(bytes memory code, bytes memory args) internal returns (address deployed) {
        code = bytes.concat(code, args);
        assembly {
            deployed := create(0, add(code, 32), mload(code))
        }
        require(deployed != address(0), "deployment failed");
    }

    /// A pair with the two amounts as reserves, in the order the tokens are given.
    function createV2(address a, uint256 amountA, address b, uint256 amountB) internal returns (address pair) {
        pair = v2Factory.createPair(a, b);
        give(a, pair, amountA);
        give(b, pair, amountB);
        IV2Pair(pair).mint(address(this));
    }

    /// A pool at price 1 with one wide and one narrow position, so that swaps cross ticks.
    function createV3(address a, address b, uint24 fee, uint128 liquidity) internal returns (address pool) {
        pool = v3Factory.createPool(a, b, fee);
        IV3Pool(pool).initialize(PRICE_ONE);
        addV3(pool, 6000, liquidity);
        addV3(pool, 600, liquidity);
    }

    function addV3(address pool, int24 width, uint128 liquidity) internal {
        IV3Pool(pool).mint(address(this), -width, width, liquidity, "");
    }

    function uniswapV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata) external {
        give(IV3Pool(msg.sender).token0(), msg.sender, owed0);
        give(IV3Pool(msg.sender).token1(), msg.sender, owed1);
    }

    /// The output by Uniswap V2's formula, independent of the code under test.
    function quoteV2(address pair, address tokenIn, uint256 amountIn) internal view returns (uint256) {
        (uint256 a, uint256 b,) = IV2Pair(pair).getReserves();
        if (IV2Pair(pair).token0() != tokenIn) (a, b) = (b, a);
        return amountIn * 997 * b / (a * 1000 + amountIn * 997);
    }

    /// The output of a V3 pool, from a swap on the pool itself that is then reverted.
    function quoteV3(address pool, address tokenIn, uint256 amountIn) internal returns (uint256 amountOut) {
        bool zeroForOne = IV3Pool(pool).token0() == tokenIn;
        uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        try IV3Pool(pool).swap(address(this), zeroForOne, int256(amountIn), limit, "") {
            revert("the quote was not undone");
        } catch (bytes memory reason) {
            (int256 a, int256 b) = abi.decode(reason, (int256, int256));
            amountOut = uint256(-(zeroForOne ? b : a));
        }
    }

    function uniswapV3SwapCallback(int256 a, int256 b, bytes calldata) external virtual {
        undo(a, b);
    }

    function undo(int256 a, int256 b) internal pure {
        bytes memory reason = abi.encode(a, b);
        assembly {
            revert(add(reason, 32), mload(reason))
        }
    }

    function give(address token, address to, uint256 amount) internal virtual {
        TestToken(token).mint(to, amount);
    }

    function isZero(address pool, address tokenIn) internal view returns (bool) {
        return IV2Pair(pool).token0() == tokenIn;
    }
}
