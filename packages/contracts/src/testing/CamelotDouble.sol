// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";
import {PairDouble} from "./PairDouble.sol";

/// @title A double of Camelot's factory. For tests only: anyone may call every function.
contract CamelotFactoryDouble {
    event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count);
    event OwnerFeeShareUpdated(uint256 previous, uint256 next);

    address[] public allPairs;
    mapping(address => mapping(address => address)) public getPair;
    uint256 private _ownerFeeShare = 50_000;

    function createPair(address a, address b) external returns (address pair) {
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        pair = address(new CamelotPairDouble(token0, token1));
        (getPair[a][b], getPair[b][a]) = (pair, pair);
        allPairs.push(pair);
        emit PairCreated(token0, token1, pair, allPairs.length);
    }

    function allPairsLength() external view returns (uint256) {
        return allPairs.length;
    }

    function setOwnerFeeShare(uint256 share) external {
        emit OwnerFeeShareUpdated(_ownerFeeShare, share);
        _ownerFeeShare = share;
    }

    function feeInfo() external view returns (uint256 ownerFeeShare, address feeTo) {
        return (_ownerFeeShare, address(this));
    }
}

/// @title A double of a Camelot pair, written by us from its formulas. For tests only.
contract CamelotPairDouble is PairDouble {
    event Sync(uint112 reserve0, uint112 reserve1);
    event FeePercentUpdated(uint16 token0FeePercent, uint16 token1FeePercent);
    event SetStableSwap(bool previous, bool next);

    uint256 public constant FEE_DENOMINATOR = 100_000;
    CamelotFactoryDouble private immutable _factory = CamelotFactoryDouble(msg.sender);
    uint16 public token0FeePercent = 300;
    uint16 public token1FeePercent = 300;
    bool public stableSwap;

    constructor(address token0_, address token1_) PairDouble(token0_, token1_) {}

    function precisionMultiplier0() external view returns (uint256) {
        return unit0;
    }

    function precisionMultiplier1() external view returns (uint256) {
        return unit1;
    }

    function setFeePercent(uint16 percent0, uint16 percent1) external {
        (token0FeePercent, token1FeePercent) = (percent0, percent1);
        emit FeePercentUpdated(percent0, percent1);
    }

    function setStableSwap(bool stable) external {
        emit SetStableSwap(stableSwap, stable);
        stableSwap = stable;
    }

    function getReserves() external view returns (uint112, uint112, uint16, uint16) {
        return (uint112(reserve0), uint112(reserve1), token0FeePercent, token1FeePercent);
    }

    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256) {
        bool zeroForOne = tokenIn == token0;
        uint256 percent = _percentOf(tokenIn);
        if (stableSwap) return _stableOut(amountIn - amountIn * percent / FEE_DENOMINATOR, zeroForOne, false);
        (uint256 x, uint256 y) = zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        uint256 scaled = amountIn * (FEE_DENOMINATOR - percent);
        return scaled * y / (x * FEE_DENOMINATOR + scaled);
    }

    function _percentOf(address token) private view returns (uint256) {
        return token == token0 ? token0FeePercent : token1FeePercent;
    }

    function _isStable() internal view override returns (bool) {
        return stableSwap;
    }

    /// Only a stable pair pays the owner's share during the swap.
    function _takeFee(address token, uint256 amountIn) internal override returns (uint256 fee) {
        uint256 percent = _percentOf(token);
        fee = amountIn * percent / FEE_DENOMINATOR;
        if (!stableSwap) return fee;
        (uint256 share, address feeTo) = _factory.feeInfo();
        uint256 owed = amountIn * share * percent / FEE_DENOMINATOR ** 2;
        if (owed > 0) Tokens.transfer(token, feeTo, owed);
    }

    function _update(uint256 balance0, uint256 balance1) internal override {
        require(balance0 <= type(uint112).max && balance1 <= type(uint112).max, "OVERFLOW");
        (reserve0, reserve1) = (balance0, balance1);
        emit Sync(uint112(balance0), uint112(balance1));
    }
}
