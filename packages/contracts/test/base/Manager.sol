// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPoolManager, PoolKey, SwapParams} from "../../src/swaps/UniswapV4.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Bins} from "./Bins.sol";

struct ModifyLiquidityParams {
    int24 tickLower;
    int24 tickUpper;
    int256 liquidityDelta;
    bytes32 salt;
}

interface IManager is IPoolManager {
    function unlock(bytes calldata data) external returns (bytes memory);
    function initialize(PoolKey calldata key, uint160 sqrtPriceX96) external returns (int24);
    function modifyLiquidity(PoolKey calldata key, ModifyLiquidityParams calldata params, bytes calldata)
        external
        returns (int256 delta, int256 fees);
    function setProtocolFeeController(address controller) external;
    function setProtocolFee(PoolKey calldata key, uint24 fee) external;
}

/// @title Creates pools of Uniswap V4's own manager at price 1, with tokens that were sent here before.
contract Positions {
    IManager public immutable manager;

    constructor(IManager manager_) {
        manager = manager_;
    }

    receive() external payable {}

    /// One wide and one narrow position, so that swaps cross ticks.
    function create(PoolKey calldata key, int256 liquidity) external {
        manager.initialize(key, 1 << 96);
        manager.unlock(abi.encode(key, int24(100), liquidity));
        manager.unlock(abi.encode(key, int24(10), liquidity));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (PoolKey memory key, int24 width, int256 liquidity) = abi.decode(data, (PoolKey, int24, int256));
        width *= key.tickSpacing;
        ModifyLiquidityParams memory params = ModifyLiquidityParams(-width, width, liquidity, 0);
        (int256 delta,) = manager.modifyLiquidity(key, params, "");
        pay(key.currency0, uint256(-(delta >> 128)));
        pay(key.currency1, uint256(-int256(int128(delta))));
        return "";
    }

    function pay(address currency, uint256 amount) private {
        manager.sync(currency);
        if (currency != address(0)) TestToken(currency).transfer(address(manager), amount);
        (bool ok,) = address(manager).call{value: currency == address(0) ? amount : 0}(
            abi.encodeCall(IPoolManager.settle, ())
        );
        require(ok, "not settled");
    }
}

/// @title Uniswap V4's own manager, from the bytecode that its authors publish, and pools of it.
abstract contract Manager is Bins {
    IManager internal manager;
    Positions internal positions;

    /// A hook that is called when somebody donates to a pool, and never otherwise.
    address internal constant DONATION_HOOK = address(1 << 5);

    function deployManager() internal {
        string memory path = "node_modules/@uniswap/v4-core/out/PoolManager.sol/PoolManager.json";
        bytes memory code = vm.parseJsonBytes(vm.readFile(path), ".bytecode.object");
        manager = IManager(deploy(code, abi.encode(address(this))));
        positions = new Positions(manager);
    }

    /// The key of the pool of two tokens, of which the zero address is the native one.
    function keyOf(address x, address y, uint24 fee, address hooks) internal pure returns (PoolKey memory) {
        return x < y ? PoolKey(x, y, fee, 60, hooks) : PoolKey(y, x, fee, 60, hooks);
    }

    /// Creates the pool of a key, with tokens made for it.
    function createV4(PoolKey memory key, int256 liquidity) internal {
        uint256 amount = 2 * uint256(liquidity);
        if (key.currency0 == address(0)) deal(address(positions), amount);
        else give(key.currency0, address(positions), amount);
        give(key.currency1, address(positions), amount);
        positions.create(key, liquidity);
    }

    /// The output of a pool, from a swap that is then reverted.
    function quoteV4(PoolKey memory key, bool zeroForOne, uint256 amountIn) internal returns (uint256) {
        try manager.unlock(abi.encode(key, zeroForOne, amountIn)) {
            revert("the quote was not undone");
        } catch (bytes memory reason) {
            return abi.decode(reason, (uint256));
        }
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (PoolKey memory key, bool zeroForOne, uint256 amountIn) = abi.decode(data, (PoolKey, bool, uint256));
        uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        int256 delta = manager.swap(key, SwapParams(zeroForOne, -int256(amountIn), limit), "");
        bytes memory reason = abi.encode(zeroForOne ? int128(delta) : delta >> 128);
        assembly {
            revert(add(reason, 32), mload(reason))
        }
    }
}
