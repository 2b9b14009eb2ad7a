// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";
import {StableMath} from "./StableMath.sol";

/// @title Common base of the doubles of pairs: two reserves, and deposits that mint no shares.
/// @dev For tests only.
abstract contract PairDouble {
    event Mint(address indexed sender, uint256 amount0, uint256 amount1);
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );

    address public immutable token0;
    address public immutable token1;
    uint256 internal immutable unit0;
    uint256 internal immutable unit1;
    uint256 internal reserve0;
    uint256 internal reserve1;

    constructor(address token0_, address token1_) {
        (token0, token1) = (token0_, token1_);
        (unit0, unit1) = (10 ** IDecimals(token0_).decimals(), 10 ** IDecimals(token1_).decimals());
    }

    /// Adds the tokens sent to the reserves; mints no shares.
    function mint(address) external {
        (uint256 balance0, uint256 balance1) = balances();
        emit Mint(msg.sender, balance0 - reserve0, balance1 - reserve1);
        _update(balance0, balance1);
    }

    /// Pays a part of the reserves, in thousandths; anyone may call it.
    function burn(uint256 thousandths, address to) external {
        Tokens.transfer(token0, to, reserve0 * thousandths / 1000);
        Tokens.transfer(token1, to, reserve1 * thousandths / 1000);
        sync();
    }

    function sync() public {
        (uint256 balance0, uint256 balance1) = balances();
        _update(balance0, balance1);
    }

    function swap(uint256 out0, uint256 out1, address to, bytes calldata) external {
        _checkOpen();
        require(out0 > 0 || out1 > 0, "INSUFFICIENT_OUTPUT_AMOUNT");
        require(out0 < reserve0 && out1 < reserve1, "INSUFFICIENT_LIQUIDITY");
        if (out0 > 0) Tokens.transfer(token0, to, out0);
        if (out1 > 0) Tokens.transfer(token1, to, out1);
        (uint256 balance0, uint256 balance1) = balances();
        uint256 in0 = balance0 + out0 > reserve0 ? balance0 + out0 - reserve0 : 0;
        uint256 in1 = balance1 + out1 > reserve1 ? balance1 + out1 - reserve1 : 0;
        require(in0 > 0 || in1 > 0, "INSUFFICIENT_INPUT_AMOUNT");
        uint256 fee0 = _takeFee(token0, in0);
        uint256 fee1 = _takeFee(token1, in1);
        uint256 after0 = balance0 - fee0;
        uint256 after1 = balance1 - fee1;
        require(_invariant(after0, after1) >= _invariant(reserve0, reserve1), "K");
        (balance0, balance1) = balances();
        _update(balance0, balance1);
        _noteSwap([in0, in1, out0, out1], to);
    }

    function balances() internal view returns (uint256, uint256) {
        return (Tokens.balanceOf(token0, address(this)), Tokens.balanceOf(token1, address(this)));
    }

    function _stableOut(uint256 amountIn, bool zeroForOne, bool velodrome) internal view returns (uint256) {
        uint256 k = _invariant(reserve0, reserve1);
        uint256 x = zeroForOne ? reserve0 * 1e18 / unit0 : reserve1 * 1e18 / unit1;
        uint256 y = zeroForOne ? reserve1 * 1e18 / unit1 : reserve0 * 1e18 / unit0;
        x += amountIn * 1e18 / (zeroForOne ? unit0 : unit1);
        uint256 left = velodrome ? StableMath.solveVelodrome(x, k, y) : StableMath.solveOriginal(x, k, y);
        return (y - left) * (zeroForOne ? unit1 : unit0) / 1e18;
    }

    function _invariant(uint256 balance0, uint256 balance1) internal view returns (uint256) {
        if (!_isStable()) return balance0 * balance1;
        return StableMath.invariant(balance0 * 1e18 / unit0, balance1 * 1e18 / unit1);
    }

    function _isStable() internal view virtual returns (bool);
    function _checkOpen() internal view virtual {}

    /// Sends away the part of the fee that leaves the pair; returns the whole fee.
    function _takeFee(address token, uint256 amountIn) internal virtual returns (uint256 fee);
    function _update(uint256 balance0, uint256 balance1) internal virtual;

    function _noteSwap(uint256[4] memory amounts, address to) internal virtual {
        emit Swap(msg.sender, amounts[0], amounts[1], amounts[2], amounts[3], to);
    }
}

interface IDecimals {
    function decimals() external view returns (uint8);
}
