// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Pool} from "@uniswap/v4-core/src/libraries/Pool.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";

/// @title Our double of V3-shaped pools with a moving fee, whose authors publish no code.
/// @dev The swap loop is Uniswap's, from v4-core's library, which steps and rounds like V3. The rest is
/// written from the descriptions of Slipstream and Ramses, not from their code.
abstract contract ConcentratedDouble {
    using Pool for Pool.State;

    event Swap(
        address indexed sender,
        address indexed recipient,
        int256 amount0,
        int256 amount1,
        uint160 sqrtPriceX96,
        uint128 liquidity,
        int24 tick
    );
    event Burn(
        address indexed owner,
        int24 indexed tickLower,
        int24 indexed tickUpper,
        uint128 amount,
        uint256 amount0,
        uint256 amount1
    );
    event IncreaseObservationCardinalityNext(uint16 before, uint16 next);

    struct Observation {
        uint32 timestamp;
        int56 tickCumulative;
        uint160 unused;
        bool initialized;
    }

    uint24 private constant OVERRIDE = 0x400000;

    address public immutable factory;
    address public immutable token0;
    address public immutable token1;
    int24 public immutable tickSpacing;
    Observation[65535] public observations;

    Pool.State internal _pool;
    uint16 internal _index;
    uint16 internal _cardinality = 1;
    uint16 internal _cardinalityNext = 1;

    constructor(address factory_, address token0_, address token1_, int24 tickSpacing_, uint160 sqrtPriceX96) {
        (factory, token0, token1, tickSpacing) = (factory_, token0_, token1_, tickSpacing_);
        _pool.initialize(sqrtPriceX96, 0);
        observations[0] = Observation(uint32(block.timestamp), 0, 0, true);
    }

    function fee() public view virtual returns (uint24);

    function liquidity() external view returns (uint128) {
        return _pool.liquidity;
    }

    function tickBitmap(int16 word) external view returns (uint256) {
        return _pool.tickBitmap[word];
    }

    function ticks(int24 tick) external view returns (uint128, int128) {
        return (_pool.ticks[tick].liquidityGross, _pool.ticks[tick].liquidityNet);
    }

    function swap(address recipient, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1)
    {
        require(amount > 0, "AS");
        int24 before = _pool.slot0.tick();
        (BalanceDelta delta,,, Pool.SwapResult memory end) = _pool.swap(
            Pool.SwapParams({
                amountSpecified: -amount,
                tickSpacing: tickSpacing,
                zeroForOne: zeroForOne,
                sqrtPriceLimitX96: limit,
                lpFeeOverride: fee() | OVERRIDE
            })
        );
        if (end.tick != before) _write(before);
        (amount0, amount1) = (-int256(delta.amount0()), -int256(delta.amount1()));
        _send(zeroForOne ? token1 : token0, recipient, uint256(-(zeroForOne ? amount1 : amount0)));
        ICallback(msg.sender).uniswapV3SwapCallback(amount0, amount1, data);
        emit Swap(msg.sender, recipient, amount0, amount1, end.sqrtPriceX96, end.liquidity, end.tick);
    }

    function mint(address recipient, int24 lower, int24 upper, uint128 amount, bytes calldata data) external {
        (int128 owed0, int128 owed1) = _modify(recipient, lower, upper, int128(amount));
        (uint256 amount0, uint256 amount1) = (uint128(-owed0), uint128(-owed1));
        ICallback(msg.sender).uniswapV3MintCallback(amount0, amount1, data);
        _emitMint(recipient, lower, upper, amount, amount0, amount1);
    }

    /// A burn pays the tokens at once.
    function burn(int24 lower, int24 upper, uint128 amount) external {
        (int128 paid0, int128 paid1) = _modify(msg.sender, lower, upper, -int128(amount));
        _send(token0, msg.sender, uint128(paid0));
        _send(token1, msg.sender, uint128(paid1));
        emit Burn(msg.sender, lower, upper, amount, uint128(paid0), uint128(paid1));
    }

    function collect(address, int24, int24, uint128, uint128) external pure {}

    function increaseObservationCardinalityNext(uint16 next) external {
        if (next <= _cardinalityNext) return;
        emit IncreaseObservationCardinalityNext(_cardinalityNext, next);
        _cardinalityNext = next;
    }

    function observe(uint32[] calldata secondsAgos)
        external
        view
        returns (int56[] memory cumulatives, uint160[] memory unused)
    {
        cumulatives = new int56[](secondsAgos.length);
        unused = new uint160[](secondsAgos.length);
        for (uint256 i = 0; i < secondsAgos.length; i++) {
            cumulatives[i] = _cumulativeAt(uint32(block.timestamp) - secondsAgos[i]);
        }
    }

    function _emitMint(address owner, int24 lower, int24 upper, uint128 amount, uint256 amount0, uint256 amount1)
        internal
        virtual;

    function _modify(address owner, int24 lower, int24 upper, int128 change)
        private
        returns (int128 amount0, int128 amount1)
    {
        int24 tick = _pool.slot0.tick();
        if (change != 0 && lower <= tick && tick < upper) _write(tick);
        (BalanceDelta delta,) = _pool.modifyLiquidity(
            Pool.ModifyLiquidityParams({
                owner: owner,
                tickLower: lower,
                tickUpper: upper,
                liquidityDelta: change,
                tickSpacing: tickSpacing,
                salt: 0
            })
        );
        return (delta.amount0(), delta.amount1());
    }

    /// At most one observation per block; the ring buffer grows after its last slot is written.
    function _write(int24 tick) private {
        Observation memory last = observations[_index];
        uint32 time = uint32(block.timestamp);
        if (last.timestamp == time) return;
        if (_cardinalityNext > _cardinality && _index == _cardinality - 1) _cardinality = _cardinalityNext;
        _index = (_index + 1) % _cardinality;
        int56 cumulative = last.tickCumulative + int56(tick) * int56(uint56(time - last.timestamp));
        observations[_index] = Observation(time, cumulative, 0, true);
    }

    /// Binary search, because the caller may have little gas.
    function _cumulativeAt(uint32 time) private view returns (int56) {
        Observation memory newest = observations[_index];
        if (time >= newest.timestamp) {
            return newest.tickCumulative
                + int56(_pool.slot0.tick()) * int56(uint56(time - newest.timestamp));
        }
        uint256 oldest = (uint256(_index) + 1) % _cardinality;
        uint256 count = _cardinality;
        if (!observations[oldest].initialized) (oldest, count) = (0, uint256(_index) + 1);
        require(observations[oldest].timestamp <= time, "OLD");
        (uint256 low, uint256 high) = (0, count - 1);
        while (high - low > 1) {
            uint256 middle = (low + high) / 2;
            if (observations[(oldest + middle) % _cardinality].timestamp <= time) low = middle;
            else high = middle;
        }
        Observation memory a = observations[(oldest + low) % _cardinality];
        Observation memory b = observations[(oldest + high) % _cardinality];
        int56 span = int56(uint56(b.timestamp - a.timestamp));
        return a.tickCumulative
            + (b.tickCumulative - a.tickCumulative) / span * int56(uint56(time - a.timestamp));
    }

    function _send(address token, address to, uint256 amount) private {
        if (amount != 0) require(IToken(token).transfer(to, amount), "transfer");
    }
}

interface ICallback {
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external;
}

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
}
