// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";

struct StableSwapSettings {
    uint256 amp;
    uint256 ampPrecision;
    uint256 fee;
    uint256 offpegFeeMultiplier;
    uint256 adminFee;
}

/// @title A registry of doubles of Curve's StableSwap pools. For tests only: anyone may call it.
/// @dev Written by us from the formulas in packages/core, with the names of Curve's contracts.
contract CurveFactoryDouble {
    address[] private _pools;

    function create(address[] calldata coins, uint256[] calldata rates, bool isNg, StableSwapSettings calldata settings)
        external
        returns (address pool)
    {
        pool = isNg
            ? address(new StableSwapNgDouble(coins, rates, settings))
            : address(new StableSwapDouble(coins, rates, settings));
        _pools.push(pool);
    }

    function pool_count() external view returns (uint256) {
        return _pools.length;
    }

    function pool_list(uint256 index) external view returns (address) {
        return _pools[index];
    }

    function get_pool_asset_types(address pool) external view returns (uint8[] memory) {
        return StableSwapNgDouble(pool).assetTypes();
    }

    function is_meta(address pool) external view returns (bool) {
        return address(StableSwapNgDouble(pool).base()) != address(0);
    }

    function get_base_pool(address pool) external view returns (address) {
        return address(StableSwapNgDouble(pool).base());
    }
}

/// @title A StableSwap pool of the kind before NG. For tests only: anyone may change its settings.
contract StableSwapDouble {
    uint256 internal constant ONE = 1e18;
    uint256 internal constant FEE_ONE = 1e10;

    event TokenExchange(
        address indexed buyer, int128 soldId, uint256 tokensSold, int128 boughtId, uint256 tokensBought
    );
    event RampA(uint256 oldA, uint256 newA, uint256 initialTime, uint256 futureTime);
    event ApplyNewFee(uint256 fee, uint256 multiplier);
    event AddLiquidity(address indexed provider, uint256[] amounts);

    address[] public coins;
    uint256 public fee;
    uint256 public admin_fee;
    uint256 public initial_A;
    uint256 public future_A;
    uint256 public initial_A_time;
    uint256 public future_A_time;
    uint256[] internal _rates;
    uint256[] internal _stored;
    uint256 private _shares;
    uint256 internal immutable _precision;

    error WrongCoins(int128 i, int128 j);
    error NothingIn();
    error NotConverged();
    error NoSuchFunction();
    error TooLarge(uint256 value);
    error TooLittle(uint256 dy, uint256 minDy);

    constructor(address[] memory coins_, uint256[] memory rates, StableSwapSettings memory settings) {
        (coins, _rates, _stored) = (coins_, rates, new uint256[](coins_.length));
        (fee, admin_fee, _precision) = (settings.fee, settings.adminFee, settings.ampPrecision);
        initial_A = future_A = settings.amp;
    }

    /// The whole balances become the pool's.
    function fill() external {
        uint256[] memory amounts = new uint256[](coins.length);
        for (uint256 k = 0; k < coins.length; k++) {
            uint256 balance = Tokens.balanceOf(coins[k], address(this)) - _ofAdmin(k);
            (amounts[k], _stored[k]) = (balance - _stored[k], balance);
        }
        // No shares come later: what is added raises the value of each.
        if (_shares == 0) _shares = _invariant(_scaled(_ratesNow()));
        emit AddLiquidity(msg.sender, amounts);
    }

    /// The value of a share, which grows by what a swap leaves.
    function get_virtual_price() external view returns (uint256) {
        return _invariant(_scaled(_ratesNow())) * ONE / _shares;
    }

    function ramp(uint256 futureA, uint256 futureTime) external {
        (initial_A, initial_A_time) = (_amp(), block.timestamp);
        (future_A, future_A_time) = (futureA, futureTime);
        emit RampA(initial_A, futureA, block.timestamp, futureTime);
    }

    function balances(uint256 k) public view virtual returns (uint256) {
        return _stored[k];
    }

    /// The first pools keep A without decimals and do not have this function.
    function A_precise() external view returns (uint256) {
        if (_precision == 1) revert NoSuchFunction();
        return _amp();
    }

    function A() external view returns (uint256) {
        return _amp() / _precision;
    }

    function get_dy(int128 i, int128 j, uint256 dx) external view returns (uint256 dy) {
        (dy,,,) = _quote(_index(i, j), _index(j, i), dx);
    }

    function exchange(int128 i, int128 j, uint256 dx, uint256 minDy) external returns (uint256 dy) {
        if (dx == 0) revert NothingIn();
        (uint256 from, uint256 to) = (_index(i, j), _index(j, i));
        uint256 dyFee;
        uint256[] memory xp;
        uint256 invariant;
        (dy, dyFee, xp, invariant) = _quote(from, to, dx);
        if (dy < minDy) revert TooLittle(dy, minDy);
        Tokens.pullFromSender(coins[from], address(this), dx);
        uint256 taken = dyFee * admin_fee / FEE_ONE * ONE / _ratesNow()[to];
        _stored[from] += dx;
        _stored[to] -= dy + taken;
        _settle(to, taken, xp, invariant);
        Tokens.transfer(coins[to], msg.sender, dy);
        emit TokenExchange(msg.sender, i, dx, j, dy);
    }

    function _quote(uint256 from, uint256 to, uint256 dx)
        internal
        view
        returns (uint256 dy, uint256 dyFee, uint256[] memory xp, uint256 invariant)
    {
        uint256[] memory rates = _ratesNow();
        xp = _scaled(rates);
        invariant = _invariant(xp);
        (uint256 x0, uint256 y0) = (xp[from], xp[to]);
        xp[from] = x0 + dx * rates[from] / ONE;
        xp[to] = _balance(xp, to, invariant);
        dy = y0 - xp[to] - 1;
        dyFee = dy * _feeBetween((x0 + xp[from]) / 2, (y0 + xp[to]) / 2) / FEE_ONE;
        dy = (dy - dyFee) * ONE / rates[to];
    }

    function _ratesNow() internal view virtual returns (uint256[] memory) {
        return _rates;
    }

    function _scaled(uint256[] memory rates) private view returns (uint256[] memory xp) {
        xp = new uint256[](rates.length);
        for (uint256 k = 0; k < xp.length; k++) xp[k] = rates[k] * _stored[k] / ONE;
    }

    function _invariant(uint256[] memory xp) private view returns (uint256 d) {
        uint256 n = xp.length;
        uint256 sum;
        for (uint256 k = 0; k < n; k++) sum += xp[k];
        if (sum == 0) return 0;
        uint256 ann = _amp() * n;
        d = sum;
        for (uint256 step = 0; step < 255; step++) {
            uint256 product = _product(xp, d);
            uint256 previous = d;
            d = (ann * sum / _precision + product * n) * d
                / ((ann - _precision) * d / _precision + (n + 1) * product);
            if (_isNear(d, previous)) return d;
        }
        revert NotConverged();
    }

    function _product(uint256[] memory xp, uint256 d) internal view virtual returns (uint256 product) {
        product = d;
        for (uint256 k = 0; k < xp.length; k++) product = product * d / (xp[k] * xp.length);
    }

    /// The balance of coin `to` that keeps the invariant; its value in `xp` is not used.
    function _balance(uint256[] memory xp, uint256 to, uint256 d) private view returns (uint256 y) {
        uint256 n = xp.length;
        uint256 ann = _amp() * n;
        (uint256 sum, uint256 c) = (0, d);
        for (uint256 k = 0; k < n; k++) {
            if (k == to) continue;
            sum += xp[k];
            c = c * d / (xp[k] * n);
        }
        c = c * d * _precision / (ann * n);
        uint256 b = sum + d * _precision / ann;
        y = d;
        for (uint256 step = 0; step < 255; step++) {
            uint256 previous = y;
            y = (y * y + c) / (2 * y + b - d);
            if (_isNear(y, previous)) return y;
        }
        revert NotConverged();
    }

    function _isNear(uint256 a, uint256 b) private pure returns (bool) {
        return a > b ? a - b <= 1 : b - a <= 1;
    }

    function _amp() internal view returns (uint256) {
        (uint256 a0, uint256 a1, uint256 t0, uint256 t1) =
            (initial_A, future_A, initial_A_time, future_A_time);
        if (block.timestamp >= t1) return a1;
        if (a1 > a0) return a0 + (a1 - a0) * (block.timestamp - t0) / (t1 - t0);
        return a0 - (a0 - a1) * (block.timestamp - t0) / (t1 - t0);
    }

    function _index(int128 i, int128 j) private view returns (uint256) {
        if (i == j || i < 0 || uint128(i) >= coins.length) revert WrongCoins(i, j);
        return uint128(i);
    }

    function _feeBetween(uint256, uint256) internal view virtual returns (uint256) {
        return fee;
    }

    function _ofAdmin(uint256) internal view virtual returns (uint256) {
        return 0;
    }

    function _settle(uint256, uint256, uint256[] memory, uint256) internal virtual {}
}

/// @title A StableSwap-NG pool, with a fee that grows off balance and rates that move. For tests only.
contract StableSwapNgDouble is StableSwapDouble {
    uint256 public offpeg_fee_multiplier;
    /// The base pool of a meta pool.
    StableSwapDouble public base;
    uint8[] private _types;
    uint256[] private _admin;
    uint256[] private _prices;

    constructor(address[] memory coins_, uint256[] memory rates, StableSwapSettings memory settings)
        StableSwapDouble(coins_, rates, settings)
    {
        offpeg_fee_multiplier = settings.offpegFeeMultiplier;
        (_types, _admin) = (new uint8[](coins_.length), new uint256[](coins_.length));
        _prices = new uint256[](coins_.length - 1);
    }

    function setFee(uint256 fee_, uint256 multiplier) external {
        (fee, offpeg_fee_multiplier) = (fee_, multiplier);
        emit ApplyNewFee(fee_, multiplier);
    }

    /// Gives a coin a rate of its own, which moves without a log.
    function setRate(uint256 k, uint256 rate) external {
        (_types[k], _rates[k]) = (1, rate);
    }

    /// Makes this a meta pool: its second coin has the value of a share of another pool as its rate.
    function setBase(StableSwapDouble base_) external {
        base = base_;
    }

    function _ratesNow() internal view override returns (uint256[] memory rates) {
        rates = _rates;
        if (address(base) != address(0)) rates[1] = base.get_virtual_price();
    }

    function N_COINS() external view returns (uint256) {
        return coins.length;
    }

    function assetTypes() external view returns (uint8[] memory) {
        return _types;
    }

    function get_balances() external view returns (uint256[] memory) {
        return _stored;
    }

    function stored_rates() external view returns (uint256[] memory) {
        return _ratesNow();
    }

    function _ofAdmin(uint256 k) internal view override returns (uint256) {
        return _admin[k];
    }

    function _product(uint256[] memory xp, uint256 d) internal pure override returns (uint256 product) {
        product = d;
        for (uint256 k = 0; k < xp.length; k++) product = product * d / xp[k];
        product /= xp.length ** xp.length;
    }

    function _feeBetween(uint256 x, uint256 y) internal view override returns (uint256) {
        uint256 multiplier = offpeg_fee_multiplier;
        if (multiplier <= FEE_ONE) return fee;
        return multiplier * fee / ((multiplier - FEE_ONE) * 4 * x * y / (x + y) ** 2 + FEE_ONE);
    }

    /// Stores the admin's fee, and the prices of the swap: it reverts if they cannot be computed, or if
    /// one of them does not fit in 128 bits.
    function _settle(uint256 to, uint256 taken, uint256[] memory xp, uint256 d) internal override {
        _admin[to] += taken;
        uint256 n = xp.length;
        uint256 product = d / n ** n;
        for (uint256 k = 0; k < n; k++) product = product * d / xp[k];
        uint256 first = _amp() * n * xp[0] / _precision;
        for (uint256 k = 1; k < n; k++) {
            uint256 price = ONE * (first + product * xp[0] / xp[k]) / (first + product);
            if (price >> 128 != 0) revert TooLarge(price);
            _prices[k - 1] = price;
        }
    }
}
