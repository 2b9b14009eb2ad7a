// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ConcentratedDouble} from "./ConcentratedDouble.sol";

/// @title Our double of a Ramses V3 factory; pools are deployed separately and registered.
contract RamsesFactoryDouble {
    event PoolCreated(
        address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool
    );

    mapping(address a => mapping(address b => mapping(int24 tickSpacing => address pool))) public getPool;

    function add(address pool) external {
        ConcentratedDouble it = ConcentratedDouble(pool);
        (address a, address b, int24 spacing) = (it.token0(), it.token1(), it.tickSpacing());
        getPool[a][b][spacing] = getPool[b][a][spacing] = pool;
        emit PoolCreated(a, b, 3000, spacing, pool);
    }
}

/// @title Our double of a Ramses V3 pool: a settable fee, and positions with an index.
/// @dev `fee()` returns the initial fee, as in builds where only `currentFee()` is right.
contract RamsesPoolDouble is ConcentratedDouble {
    event Mint(
        address sender,
        address indexed owner,
        uint256 index,
        int24 indexed tickLower,
        int24 indexed tickUpper,
        uint128 amount,
        uint256 amount0,
        uint256 amount1
    );
    event FeeAdjustment(uint24 before, uint24 next);

    uint24 public currentFee = 3000;

    constructor(address factory_, address token0_, address token1_, int24 tickSpacing_, uint160 sqrtPriceX96)
        ConcentratedDouble(factory_, token0_, token1_, tickSpacing_, sqrtPriceX96)
    {}

    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool) {
        return
            (_pool.slot0.sqrtPriceX96(), _pool.slot0.tick(), _index, _cardinality, _cardinalityNext, 5, true);
    }

    function setFee(uint24 next) external {
        emit FeeAdjustment(currentFee, next);
        currentFee = next;
    }

    function fee() public view override returns (uint24) {
        // The swap itself makes this call from inside.
        return msg.sig == this.fee.selector ? 3000 : currentFee;
    }

    function _emitMint(address owner, int24 lower, int24 upper, uint128 amount, uint256 amount0, uint256 amount1)
        internal
        override
    {
        emit Mint(msg.sender, owner, 7, lower, upper, amount, amount0, amount1);
    }
}
