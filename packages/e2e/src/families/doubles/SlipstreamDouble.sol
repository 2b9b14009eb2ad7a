// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ConcentratedDouble} from "./ConcentratedDouble.sol";

/// @title Our double of a Slipstream factory; pools are deployed separately and registered.
contract SlipstreamFactoryDouble {
    event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool);
    event SwapFeeModuleChanged(address indexed before, address indexed next);

    uint256 private constant MODULE_GAS = 200_000;
    uint24 private constant MOST = 100_000;

    address public swapFeeModule;
    mapping(int24 tickSpacing => uint24 fee) public tickSpacingToFee;
    mapping(address a => mapping(address b => mapping(int24 tickSpacing => address pool))) public getPool;

    constructor() {
        (tickSpacingToFee[1], tickSpacingToFee[50], tickSpacingToFee[200]) = (100, 2500, 10_000);
    }

    function add(address pool) external {
        ConcentratedDouble it = ConcentratedDouble(pool);
        (address a, address b, int24 spacing) = (it.token0(), it.token1(), it.tickSpacing());
        getPool[a][b][spacing] = getPool[b][a][spacing] = pool;
        emit PoolCreated(a, b, spacing, pool);
    }

    function setSwapFeeModule(address module) external {
        emit SwapFeeModuleChanged(swapFeeModule, module);
        swapFeeModule = module;
    }

    /// The module's fee if it is within bounds, else the fee of the tick spacing.
    function getSwapFee(address pool) external view returns (uint24) {
        if (swapFeeModule != address(0)) {
            (bool ok, bytes memory answer) =
                swapFeeModule.staticcall{gas: MODULE_GAS}(abi.encodeWithSignature("getFee(address)", pool));
            if (ok && abi.decode(answer, (uint24)) <= MOST) return abi.decode(answer, (uint24));
        }
        return tickSpacingToFee[ConcentratedDouble(pool).tickSpacing()];
    }
}

/// @title Our double of a Slipstream pool: six words of slot0, and a fee from its factory.
contract SlipstreamPoolDouble is ConcentratedDouble {
    event Mint(
        address sender,
        address indexed owner,
        int24 indexed tickLower,
        int24 indexed tickUpper,
        uint128 amount,
        uint256 amount0,
        uint256 amount1
    );

    constructor(address factory_, address token0_, address token1_, int24 tickSpacing_, uint160 sqrtPriceX96)
        ConcentratedDouble(factory_, token0_, token1_, tickSpacing_, sqrtPriceX96)
    {}

    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, bool) {
        return
            (_pool.slot0.sqrtPriceX96(), _pool.slot0.tick(), _index, _cardinality, _cardinalityNext, true);
    }

    function fee() public view override returns (uint24) {
        return SlipstreamFactoryDouble(factory).getSwapFee(address(this));
    }

    function _emitMint(address owner, int24 lower, int24 upper, uint128 amount, uint256 amount0, uint256 amount1)
        internal
        override
    {
        emit Mint(msg.sender, owner, lower, upper, amount, amount0, amount1);
    }
}

/// @title Our double of the module with a fee per pool; 420 means no fee.
contract CustomFeeDouble {
    event SetCustomFee(address indexed pool, uint24 indexed fee);

    SlipstreamFactoryDouble public immutable factory;
    mapping(address pool => uint24 fee) public customFee;

    constructor(SlipstreamFactoryDouble factory_) {
        factory = factory_;
    }

    function setCustomFee(address pool, uint24 fee) external {
        customFee[pool] = fee;
        emit SetCustomFee(pool, fee);
    }

    function getFee(address pool) external view returns (uint24) {
        uint24 fee = customFee[pool];
        if (fee == 420) return 0;
        return fee == 0 ? factory.tickSpacingToFee(ConcentratedDouble(pool).tickSpacing()) : fee;
    }
}

/// @title Our double of the module whose fee follows the price.
contract DynamicFeeDouble {
    event SettingsChanged(address indexed pool);

    struct Config {
        uint24 baseFee;
        uint24 feeCap;
        uint64 scalingFactor;
    }

    SlipstreamFactoryDouble public immutable factory;
    uint256 public defaultScalingFactor;
    uint256 public defaultFeeCap;
    uint32 public secondsAgo;
    mapping(address pool => Config) internal _configs;

    constructor(SlipstreamFactoryDouble factory_, uint256 scalingFactor, uint256 feeCap, uint32 secondsAgo_) {
        (factory, defaultScalingFactor, defaultFeeCap, secondsAgo) =
            (factory_, scalingFactor, feeCap, secondsAgo_);
    }

    function configure(address pool, Config calldata config) external {
        _configs[pool] = config;
        emit SettingsChanged(pool);
    }

    function setDefaults(uint256 scalingFactor, uint256 feeCap, uint32 secondsAgo_) external {
        (defaultScalingFactor, defaultFeeCap, secondsAgo) = (scalingFactor, feeCap, secondsAgo_);
        emit SettingsChanged(address(0));
    }

    function getFee(address pool) public view returns (uint24) {
        Config memory config = _configs[pool];
        if (config.baseFee == 420) return 0;
        uint256 base = config.baseFee;
        if (base == 0) base = factory.tickSpacingToFee(ConcentratedDouble(pool).tickSpacing());
        (uint256 scaling, uint256 cap) = (config.scalingFactor, config.feeCap);
        if (scaling == 0) (scaling, cap) = (defaultScalingFactor, defaultFeeCap);
        uint256 fee = base + _distance(pool) * scaling / 1e6;
        if (fee > cap) fee = cap;
        return uint24(fee);
    }

    function dynamicFeeConfig(address pool) external view returns (uint24, uint24, uint64) {
        Config memory config = _configs[pool];
        return (config.baseFee, config.feeCap, config.scalingFactor);
    }

    /// Ticks between the price and its average; 0 if the average is not available.
    function _distance(address pool) private view returns (uint256) {
        (, int24 tick,, uint16 cardinality,,) = SlipstreamPoolDouble(pool).slot0();
        if (cardinality < secondsAgo / 2) return 0;
        uint32[] memory ago = new uint32[](2);
        ago[0] = secondsAgo;
        try SlipstreamPoolDouble(pool).observe(ago) returns (int56[] memory sums, uint160[] memory) {
            int24 average = int24((sums[1] - sums[0]) / int56(uint56(secondsAgo)));
            return uint24(tick > average ? tick - average : average - tick);
        } catch {
            return 0;
        }
    }
}
