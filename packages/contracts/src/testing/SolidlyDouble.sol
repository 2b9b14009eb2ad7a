// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";
import {PairDouble} from "./PairDouble.sol";

/// @dev The venue whose pairs the double imitates.
enum Kind {
    Solidly,
    Ramses,
    Velodrome
}

/// @title A double of a factory of Solidly-style pairs. For tests only: anyone may call every function.
contract SolidlyFactoryDouble {
    event PairCreated(
        address indexed token0, address indexed token1, bool stable, address pair, uint256 count
    );
    event PoolCreated(
        address indexed token0, address indexed token1, bool indexed stable, address pool, uint256 count
    );
    event SetCustomFee(address indexed pool, uint256 fee);
    event SetPairFee(address pair, uint256 fee);

    Kind public immutable kind;
    bool public isPaused;
    address[] public allPairs;
    mapping(address => mapping(address => mapping(bool => address))) public getPair;
    mapping(address => uint256) private _customFee;

    constructor(uint256 kind_) {
        kind = Kind(kind_);
    }

    function createPair(address a, address b, bool stable) external returns (address pair) {
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        pair = address(new SolidlyPairDouble(token0, token1, stable));
        (getPair[a][b][stable], getPair[b][a][stable]) = (pair, pair);
        allPairs.push(pair);
        if (kind == Kind.Velodrome) emit PoolCreated(token0, token1, stable, pair, allPairs.length);
        else emit PairCreated(token0, token1, stable, pair, allPairs.length);
    }

    function allPairsLength() external view returns (uint256) {
        return allPairs.length;
    }

    function allPools(uint256 index) external view returns (address) {
        return allPairs[index];
    }

    function allPoolsLength() external view returns (uint256) {
        return allPairs.length;
    }

    function getPool(address a, address b, bool stable) external view returns (address) {
        return getPair[a][b][stable];
    }

    /// In basis points: 0 resets the pair to its default, 420 means no fee.
    function setCustomFee(address pair, uint256 fee) external {
        _customFee[pair] = fee;
        emit SetCustomFee(pair, fee);
    }

    function getFee(address pair, bool stable) external view returns (uint256) {
        uint256 fee = _customFee[pair];
        if (fee == 420) return 0;
        return fee != 0 ? fee : stable ? 4 : 18;
    }

    /// In ppm: a Ramses pair stores its own fee.
    function setPairFee(address pair, uint256 fee) external {
        SolidlyPairDouble(pair).setFee(fee);
        emit SetPairFee(pair, fee);
    }

    function setPaused(bool paused) external {
        isPaused = paused;
    }
}

/// @title A double of a Solidly-style pair, written by us from its formulas. For tests only.
contract SolidlyPairDouble is PairDouble {
    event Sync(uint256 reserve0, uint256 reserve1);
    event Fees(address indexed sender, uint256 amount0, uint256 amount1);
    event Swap(
        address indexed sender,
        address indexed to,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out
    );

    SolidlyFactoryDouble private immutable _factory = SolidlyFactoryDouble(msg.sender);
    Kind private immutable _kind = SolidlyFactoryDouble(msg.sender).kind();
    bool public immutable stable;
    uint256 public fee = 3000;

    constructor(address token0_, address token1_, bool stable_) PairDouble(token0_, token1_) {
        stable = stable_;
    }

    function setFee(uint256 fee_) external {
        fee = fee_;
    }

    function metadata()
        external
        view
        returns (uint256, uint256, uint256, uint256, bool, address, address)
    {
        return (unit0, unit1, reserve0, reserve1, stable, token0, token1);
    }

    function getReserves() external view returns (uint256, uint256, uint256) {
        return (reserve0, reserve1, 0);
    }

    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256 amountOut) {
        bool zeroForOne = tokenIn == token0;
        amountIn -= _feeOf(amountIn);
        (uint256 x, uint256 y) = zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        amountOut = stable
            ? _stableOut(amountIn, zeroForOne, _kind == Kind.Velodrome)
            : amountIn * y / (x + amountIn);
        if (_kind == Kind.Ramses) amountOut -= 1;
    }

    function _feeOf(uint256 amountIn) private view returns (uint256) {
        if (_kind == Kind.Ramses) return amountIn * fee / 1_000_000;
        return amountIn * _factory.getFee(address(this), stable) / 10_000;
    }

    function _isStable() internal view override returns (bool) {
        return stable;
    }

    function _checkOpen() internal view override {
        require(!_factory.isPaused(), "PAUSED");
    }

    function _takeFee(address token, uint256 amountIn) internal override returns (uint256 taken) {
        taken = _feeOf(amountIn);
        if (taken == 0 || _kind == Kind.Ramses) return taken;
        // The real contracts multiply the fee by 1e18 to divide it among the shares.
        require(taken <= type(uint256).max / 1e18, "FEE OVERFLOW");
        Tokens.transfer(token, address(_factory), taken);
        emit Fees(msg.sender, token == token0 ? taken : 0, token == token0 ? 0 : taken);
    }

    function _update(uint256 balance0, uint256 balance1) internal override {
        (reserve0, reserve1) = (balance0, balance1);
        if (_kind != Kind.Ramses) {
            emit Sync(balance0, balance1);
            return;
        }
        require(balance0 <= type(uint112).max && balance1 <= type(uint112).max, "OVERFLOW");
        emit NarrowPair.Sync(uint112(balance0), uint112(balance1));
    }

    function _noteSwap(uint256[4] memory amounts, address to) internal override {
        if (_kind != Kind.Velodrome) return super._noteSwap(amounts, to);
        emit Swap(msg.sender, to, amounts[0], amounts[1], amounts[2], amounts[3]);
    }
}

/// @dev In its own interface, because a contract cannot declare two Sync events and emit one by name.
interface NarrowPair {
    event Sync(uint112 reserve0, uint112 reserve1);
}
