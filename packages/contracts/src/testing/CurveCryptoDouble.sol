// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";
import {CryptoSwapMath} from "./CryptoSwapMath.sol";

struct CryptoSettings {
    uint256 amp;
    uint256 gamma;
    uint256 midFee;
    uint256 outFee;
    uint256 feeGamma;
    uint256 allowedExtraProfit;
}

/// @title A registry of doubles of Curve's Twocrypto and Tricrypto pools. For tests only.
/// @dev Written by us from the formulas in packages/core, with the names of Curve's contracts.
contract CurveCryptoFactoryDouble {
    address[] private _pools;

    function create(
        address[] calldata coins,
        uint256[] calldata precisions,
        uint256[] calldata scales,
        CryptoSettings calldata settings
    ) external returns (address pool) {
        pool = address(new CurveCryptoDouble(coins, precisions, scales, settings));
        _pools.push(pool);
    }

    function pool_count() external view returns (uint256) {
        return _pools.length;
    }

    function pool_list(uint256 index) external view returns (address) {
        return _pools[index];
    }
}

/// @title A pool of two or three coins around prices that move. For tests only: anyone may change it.
/// @dev Curve's pools keep averages of prices and move their price scales towards them. Here anyone names
/// the scales that the next swap moves to, if the pool has earned enough, as a pool of Curve must have.
contract CurveCryptoDouble {
    uint256 private constant ONE = 1e18;
    uint256 private constant FEE_ONE = 1e10;

    event TokenExchange(
        address indexed buyer,
        uint256 soldId,
        uint256 tokensSold,
        uint256 boughtId,
        uint256 tokensBought,
        uint256 fee,
        uint256 packedPriceScale
    );
    event AddLiquidity(address indexed provider, uint256[] amounts);
    event RampAgamma(
        uint256 initialA,
        uint256 futureA,
        uint256 initialGamma,
        uint256 futureGamma,
        uint256 initialTime,
        uint256 futureTime
    );
    event NewParameters(uint256 midFee, uint256 outFee, uint256 feeGamma, uint256 allowedExtraProfit);

    address[] public coins;
    uint256 public D;
    uint256 public mid_fee;
    uint256 public out_fee;
    uint256 public fee_gamma;
    uint256 public virtual_price;
    uint256 public totalSupply;
    uint256 public xcp_profit;
    uint256 public allowed_extra_profit;
    uint256 public initial_A_gamma;
    uint256 public future_A_gamma;
    uint256 public initial_A_gamma_time;
    uint256 public future_A_gamma_time;
    uint256[] private _stored;
    uint256[] private _precisions;
    uint256[] private _scales;
    uint256[] private _targets;

    error WrongCoins(uint256 i, uint256 j);
    error NothingIn();
    error Loss(uint256 before, uint256 next);
    error TooLittle(uint256 dy, uint256 minDy);
    error NoSuchFunction();

    constructor(
        address[] memory coins_,
        uint256[] memory precisions_,
        uint256[] memory scales,
        CryptoSettings memory settings
    ) {
        (coins, _precisions, _scales) = (coins_, precisions_, scales);
        _stored = new uint256[](coins_.length);
        (mid_fee, out_fee, fee_gamma) = (settings.midFee, settings.outFee, settings.feeGamma);
        allowed_extra_profit = settings.allowedExtraProfit;
        initial_A_gamma = future_A_gamma = settings.amp << 128 | settings.gamma;
    }

    /// The whole balances become the pool's; new shares keep the value of a share.
    function fill() external {
        uint256[] memory amounts = new uint256[](coins.length);
        for (uint256 k = 0; k < coins.length; k++) {
            uint256 balance = Tokens.balanceOf(coins[k], address(this));
            (amounts[k], _stored[k]) = (balance - _stored[k], balance);
        }
        (uint256 amp, uint256 gamma_) = _form();
        uint256 next = CryptoSwapMath.invariant(_scaled(_stored), amp, gamma_, 0);
        if (totalSupply == 0) (totalSupply, xcp_profit) = (_worth(next), ONE);
        else totalSupply = totalSupply * next / D;
        D = next;
        virtual_price = ONE * _worth(next) / totalSupply;
        emit AddLiquidity(msg.sender, amounts);
    }

    function ramp(uint256 futureAmp, uint256 futureGamma, uint256 futureTime) external {
        (uint256 amp, uint256 gamma_) = _form();
        (initial_A_gamma, initial_A_gamma_time) = (amp << 128 | gamma_, block.timestamp);
        (future_A_gamma, future_A_gamma_time) = (futureAmp << 128 | futureGamma, futureTime);
        emit RampAgamma(amp, futureAmp, gamma_, futureGamma, block.timestamp, futureTime);
    }

    function setFees(uint256 midFee, uint256 outFee, uint256 feeGamma) external {
        (mid_fee, out_fee, fee_gamma) = (midFee, outFee, feeGamma);
        emit NewParameters(midFee, outFee, feeGamma, allowed_extra_profit);
    }

    /// Names the price scales that the next swap of a pool with enough profit moves to.
    function aim(uint256[] calldata targets) external {
        _targets = targets;
    }

    function get_virtual_price() external view returns (uint256) {
        return ONE * _worth(D) / totalSupply;
    }

    function balances(uint256 k) external view returns (uint256) {
        return _stored[k];
    }

    /// A list of fixed length, as many words as coins.
    function precisions() external view {
        uint256[] memory words = _precisions;
        assembly { return(add(words, 32), mul(32, mload(words))) }
    }

    function price_scale() external view returns (uint256) {
        if (coins.length != 2) revert NoSuchFunction();
        return _scales[0];
    }

    function price_scale(uint256 k) external view returns (uint256) {
        if (coins.length == 2) revert NoSuchFunction();
        return _scales[k];
    }

    function version() external view returns (string memory) {
        return coins.length == 2 ? "2.1.0" : "v2.0.0";
    }

    /// The contract of the mathematics.
    function MATH() external view returns (address) {
        return address(this);
    }

    function get_y(uint256 amp, uint256 gamma_, uint256[2] calldata x, uint256 d, uint256 j)
        external
        pure
        returns (uint256, uint256)
    {
        uint256[] memory xp = new uint256[](2);
        (xp[0], xp[1]) = (x[0], x[1]);
        return CryptoSwapMath.balance(xp, j, d, amp, gamma_);
    }

    function A() external view returns (uint256 amp) {
        (amp,) = _form();
    }

    function gamma() external view returns (uint256 value) {
        (, value) = _form();
    }

    function fee_calc(uint256[2] calldata x) external view returns (uint256) {
        uint256[] memory xp = new uint256[](2);
        (xp[0], xp[1]) = (x[0], x[1]);
        return _fee(xp);
    }

    function fee_calc(uint256[3] calldata x) external view returns (uint256) {
        uint256[] memory xp = new uint256[](3);
        (xp[0], xp[1], xp[2]) = (x[0], x[1], x[2]);
        return _fee(xp);
    }

    function get_dy(uint256 i, uint256 j, uint256 dx) external view returns (uint256 dy) {
        (dy,,) = _quote(i, j, dx);
    }

    function exchange(uint256 i, uint256 j, uint256 dx, uint256 minDy) external returns (uint256 dy) {
        uint256 k0;
        uint256 fee;
        (dy, fee, k0) = _quote(i, j, dx);
        if (dy < minDy) revert TooLittle(dy, minDy);
        Tokens.pullFromSender(coins[i], address(this), dx);
        _stored[i] += dx;
        _stored[j] -= dy;
        _settle(k0);
        Tokens.transfer(coins[j], msg.sender, dy);
        emit TokenExchange(msg.sender, i, dx, j, dy, fee, _scales[0]);
    }

    /// The amount out, the fee that it is less, and K₀ of the new balances.
    function _quote(uint256 i, uint256 j, uint256 dx)
        private
        view
        returns (uint256 dy, uint256 fee, uint256 k0)
    {
        if (i == j || i >= coins.length || j >= coins.length) revert WrongCoins(i, j);
        if (dx == 0) revert NothingIn();
        (uint256 amp, uint256 gamma_) = _form();
        uint256[] memory next = _stored;
        uint256 d = _isRamping() ? CryptoSwapMath.invariant(_scaled(next), amp, gamma_, 0) : D;
        next[i] += dx;
        uint256[] memory xp = _scaled(next);
        uint256 y0 = xp[j];
        (xp[j], k0) = CryptoSwapMath.balance(xp, j, d, amp, gamma_);
        dy = y0 - xp[j] - 1;
        if (j > 0) dy = dy * ONE / _scales[j - 1];
        dy /= _precisions[j];
        fee = _fee(xp) * dy / FEE_ONE;
        dy -= fee;
    }

    /// Refuses a swap that does not raise the value of a share, and moves the price scales.
    function _settle(uint256 k0) private {
        (uint256 amp, uint256 gamma_) = _form();
        uint256 d = CryptoSwapMath.invariant(_scaled(_stored), amp, gamma_, k0);
        (uint256 before, uint256 next) = (virtual_price, ONE * _worth(d) / totalSupply);
        if (future_A_gamma_time < block.timestamp && next <= before) revert Loss(before, next);
        (D, virtual_price, xcp_profit) = (d, next, xcp_profit * next / before);
        if (_targets.length != 0 && 2 * next - ONE > xcp_profit + 2 * allowed_extra_profit) _moveScales(amp, gamma_);
    }

    function _moveScales(uint256 amp, uint256 gamma_) private {
        uint256[] memory before = _scales;
        _scales = _targets;
        uint256 d = CryptoSwapMath.invariant(_scaled(_stored), amp, gamma_, 0);
        uint256 price = ONE * _worth(d) / totalSupply;
        if (price > ONE && 2 * price - ONE > xcp_profit) (D, virtual_price) = (d, price);
        else _scales = before;
        delete _targets;
    }

    /// The geometric mean of the balances of an even pool of this invariant.
    function _worth(uint256 d) private view returns (uint256) {
        uint256 n = coins.length;
        uint256[] memory even = new uint256[](n);
        even[0] = d / n;
        for (uint256 k = 1; k < n; k++) even[k] = d * ONE / (n * _scales[k - 1]);
        return CryptoSwapMath.mean(even);
    }

    function _fee(uint256[] memory xp) private view returns (uint256) {
        (uint256 n, uint256 sum, uint256 k) = (xp.length, 0, ONE);
        for (uint256 i = 0; i < n; i++) sum += xp[i];
        if (n == 2) k = 4 * ONE * xp[0] / sum * xp[1] / sum;
        else for (uint256 i = 0; i < n; i++) k = k * n * xp[i] / sum;
        uint256 g = fee_gamma * ONE / (fee_gamma + ONE - k);
        return (mid_fee * g + out_fee * (ONE - g)) / ONE;
    }

    function _scaled(uint256[] memory own) private view returns (uint256[] memory xp) {
        xp = new uint256[](own.length);
        for (uint256 k = 0; k < xp.length; k++) {
            xp[k] = own[k] * _precisions[k];
            if (k > 0) xp[k] = xp[k] * _scales[k - 1] / ONE;
        }
    }

    function _isRamping() private view returns (bool) {
        return future_A_gamma_time > block.timestamp;
    }

    /// A and γ now.
    function _form() private view returns (uint256 amp, uint256 gamma_) {
        (amp, gamma_) = (future_A_gamma >> 128, uint128(future_A_gamma));
        if (!_isRamping()) return (amp, gamma_);
        uint256 whole = future_A_gamma_time - initial_A_gamma_time;
        uint256 passed = block.timestamp - initial_A_gamma_time;
        amp = ((initial_A_gamma >> 128) * (whole - passed) + amp * passed) / whole;
        gamma_ = (uint128(initial_A_gamma) * (whole - passed) + gamma_ * passed) / whole;
    }
}
