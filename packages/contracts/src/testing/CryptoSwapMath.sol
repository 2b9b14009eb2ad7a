// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title The CryptoSwap invariant of two and three coins, for the double of Curve's pools.
/// @dev Written by us from the formulas in packages/core. Balances are in one unit of 18 decimals.
library CryptoSwapMath {
    uint256 internal constant ONE = 1e18;
    uint256 private constant SMALL_GAMMA = 2e16;

    error Unsafe(uint256 value);
    error NotConverged();

    /// The bounds of a part of D; with two coins they are those of an even part of D.
    function tiltBounds(uint256 n, uint256 gamma) internal pure returns (uint256 least, uint256 most) {
        if (n == 3) return (1e16, 1e20);
        most = gamma > SMALL_GAMMA ? 100 * ONE * SMALL_GAMMA / gamma : 100 * ONE;
        least = ONE * ONE / most;
    }

    function invariant(uint256[] memory x, uint256 amp, uint256 gamma, uint256 k0) internal pure returns (uint256 d) {
        uint256 n = x.length;
        x = _descending(x);
        (uint256 first, uint256 sum) = (x[0], 0);
        for (uint256 k = 0; k < n; k++) sum += x[k];
        if (first == 0) revert Unsafe(0);
        if (n == 2 && (first < 1e9 || first > 1e33 || x[1] * ONE / first < 1e14)) revert Unsafe(first);
        d = _start(x, sum, k0);
        for (uint256 turn = 0; turn < 255; turn++) {
            uint256 previous = d;
            d = _stepOfInvariant(x, sum, d, amp, gamma);
            uint256 moved = d > previous ? d - previous : previous - d;
            if (moved * 1e14 < (d > 1e16 ? d : 1e16)) {
                _checkParts(x, d);
                return d;
            }
        }
        revert NotConverged();
    }

    function _checkParts(uint256[] memory x, uint256 d) private pure {
        (uint256 least, uint256 most) = x.length == 2 ? (uint256(5e15), 5e19) : (uint256(1e16), 1e20);
        for (uint256 k = 0; k < x.length; k++) _check(x[k] * ONE / d, least, most);
    }

    function _start(uint256[] memory x, uint256 sum, uint256 k0) private pure returns (uint256 d) {
        if (x.length == 2) {
            if (k0 == 0) return 2 * sqrt(x[0] * x[1]);
            d = sqrt(4 * x[0] * x[1] / k0 * ONE);
            return sum < d ? sum : d;
        }
        if (k0 == 0) return 3 * mean(x);
        if (sum > 1e36) return cbrt(x[0] * x[1] / 1e36 * x[2] / k0 * 27 * 1e12);
        if (sum > 1e24) return cbrt(x[0] * x[1] / 1e24 * x[2] / k0 * 27 * 1e6);
        return cbrt(x[0] * x[1] / ONE * x[2] / k0 * 27);
    }

    function _stepOfInvariant(uint256[] memory x, uint256 sum, uint256 d, uint256 amp, uint256 gamma)
        private
        pure
        returns (uint256)
    {
        uint256 n = x.length;
        uint256 k0 = ONE;
        if (n == 2) k0 = 4 * ONE * x[0] / d * x[1] / d;
        else for (uint256 k = 0; k < n; k++) k0 = k0 * x[k] * n / d;
        (uint256 g, uint256 inverse) = _weights(d, k0, amp, gamma);
        uint256 growth = 2 * ONE * n * k0 / g;
        uint256 slope = sum + sum * growth / ONE + inverse * n / k0 - growth * d / ONE;
        uint256 plus = d * (slope + sum) / slope;
        uint256 minus = d * d / slope;
        uint256 pull = d * (inverse / slope) / ONE;
        if (ONE > k0) minus += pull * (ONE - k0) / k0;
        else minus -= pull * (k0 - ONE) / k0;
        return plus > minus ? plus - minus : (minus - plus) / 2;
    }

    function _weights(uint256 d, uint256 k0, uint256 amp, uint256 gamma) private pure returns (uint256 g, uint256 inverse) {
        uint256 whole = gamma + ONE;
        g = (whole > k0 ? whole - k0 : k0 - whole) + 1;
        inverse = ONE * d / gamma * g / gamma * g * 10_000 / amp;
    }

    /// The balance of coin `j` at the invariant, and K₀, or 0 where Newton's method found the balance.
    function balance(uint256[] memory x, uint256 j, uint256 d, uint256 amp, uint256 gamma)
        internal
        pure
        returns (uint256 y, uint256 k0)
    {
        _check(d, 1e17, 1e33);
        uint256 n = x.length;
        uint256[] memory others = new uint256[](n - 1);
        (uint256 least, uint256 most) = tiltBounds(n, gamma);
        uint256 unit = n == 2 ? 2 * ONE : ONE;
        uint256 at;
        for (uint256 k = 0; k < n; k++) {
            if (k == j) continue;
            others[at++] = x[k];
            _check(unit * x[k] / d, least, most);
        }
        (y, k0) = n == 2 ? _rootOfTwo(others[0], d, amp, gamma) : _rootOfThree(others, d, amp, gamma);
        if (k0 == 0) y = _newton(others, d, amp, gamma);
        if (n == 2) _check(y * ONE / d, ONE * ONE / 2 / most, most / 2);
        else _check(y * ONE / d, least - 1, most);
    }

    struct Cubic {
        int256 a;
        int256 b;
        int256 c;
        int256 d;
    }

    function _rootOfTwo(uint256 other, uint256 d, uint256 amp, uint256 gamma) private pure returns (uint256, uint256) {
        uint256 root = _rootOf(_scaledOfTwo(_cubicOfTwo(int256(other), int256(d), int256(amp), int256(gamma))), true);
        return (d * d / other * root / 4 / ONE, root);
    }

    function _cubicOfTwo(int256 x, int256 d, int256 amp, int256 g) private pure returns (Cubic memory) {
        int256 weight = amp * g * g;
        int256 part = 4 * weight / 4e8;
        return Cubic(
            1e32,
            d * weight / 4e8 / x - 3e32 - 2e14 * g,
            3e32 + 4e14 * g + g * g / 1e4 + part * x / d - part,
            -((1e18 + g) ** 2 / 1e4)
        );
    }

    function _scaledOfTwo(Cubic memory q) private pure returns (Cubic memory) {
        (int256 delta0, int256 delta1) = _deltas(q, true);
        int256 divider = int256(_divider(_least(_least(_abs(delta0), _abs(delta1)), 1e32), 2));
        return Cubic(q.a / divider, q.b / divider, q.c / divider, q.d / divider);
    }

    function _rootOfThree(uint256[] memory others, uint256 d, uint256 amp, uint256 gamma)
        private
        pure
        returns (uint256, uint256)
    {
        Cubic memory cubic = _scaledOfThree(
            _cubicOfThree(int256(others[0]), int256(others[1]), int256(d), int256(amp), int256(gamma))
        );
        uint256 root = _rootOf(cubic, false);
        uint256 y = d * d / 27 / others[1] * d / others[0] * root / uint256(cubic.a);
        return (y, ONE * root / uint256(cubic.a));
    }

    /// 0 if the formula has no root; then K₀ is not known.
    function _rootOf(Cubic memory q, bool isOfTwo) private pure returns (uint256) {
        (bool found, int256 c1, int256 delta0) = _resolve(q, isOfTwo);
        if (!found) return 0;
        int256 root = isOfTwo
            ? (1e18 * c1 - 1e18 * q.b - 1e18 * q.b / c1 * delta0) / (3 * q.a)
            : (q.b + q.b * delta0 / c1 - c1) / 3;
        if (root <= 0) revert NotConverged();
        return uint256(root);
    }

    function _scaledOfThree(Cubic memory q) private pure returns (Cubic memory) {
        int256 divider = int256(_divider(_abs(3 * q.a * q.c / q.b - q.b), 4));
        if (_abs(q.a) > _abs(q.b)) {
            int256 more = int256(_abs(q.a / q.b));
            return Cubic(q.a * more / divider, q.b * more / divider, q.c * more / divider, q.d * more / divider);
        }
        int256 less = int256(_abs(q.b / q.a));
        return Cubic(q.a / less / divider, q.b / less / divider, q.c / less / divider, q.d / less / divider);
    }

    function _cubicOfThree(int256 x, int256 z, int256 d, int256 amp, int256 g) private pure returns (Cubic memory) {
        int256 e36 = 1e36;
        return Cubic(
            e36 / 27,
            e36 / 9 + 2e18 * g / 27 - d * d / x * (g * g) * amp / 729 / 10_000 / z,
            e36 / 9 + g * (g + 4e18) / 27 + g * g * (x + z - d) / d * amp / 27 / 10_000,
            (1e18 + g) ** 2 / 27
        );
    }

    function _deltas(Cubic memory q, bool isOfTwo) private pure returns (int256 delta0, int256 delta1) {
        int256 third = 3 * q.a * q.c / q.b;
        delta0 = third - q.b;
        delta1 = (isOfTwo ? 3 * third : 9 * q.a * q.c / q.b) - 2 * q.b - 27 * q.a * q.a / q.b * q.d / q.b;
    }

    function _divider(uint256 size, uint256 step) private pure returns (uint256) {
        if (size <= 1e20) return 1;
        for (uint256 digits = 48; digits >= 24; digits -= step) if (size > 10 ** digits) return 10 ** (digits - 18);
        return 100;
    }

    function _resolve(Cubic memory q, bool isOfTwo) private pure returns (bool found, int256 c1, int256 delta0) {
        int256 delta1;
        (delta0, delta1) = _deltas(q, isOfTwo);
        int256 square = delta1 * delta1 + 4 * delta0 * delta0 / q.b * delta0;
        if (square <= 0) return (false, 0, 0);
        int256 root = int256(sqrt(uint256(square)));
        int256 ofB = q.b > 0 ? int256(cbrt(uint256(q.b))) : -int256(cbrt(uint256(-q.b)));
        int256 second = delta1 > 0
            ? int256(cbrt(uint256(delta1 + root) / 2))
            : -int256(cbrt(uint256(root - delta1) / 2));
        return (true, ofB * ofB / 1e18 * second / 1e18, delta0);
    }

    struct Search {
        uint256 n;
        uint256 d;
        uint256 amp;
        uint256 gamma;
        uint256 sum;
        uint256 part;
    }

    function _newton(uint256[] memory others, uint256 d, uint256 amp, uint256 gamma) private pure returns (uint256 y) {
        others = _descending(others);
        Search memory s = Search(others.length + 1, d, amp, gamma, 0, ONE);
        y = s.n == 2 ? d * d / (others[0] * 4) : d / 3;
        for (uint256 k = others.length; k > 0; k--) {
            if (s.n == 3) y = y * d / (others[k - 1] * 3);
            s.sum += others[k - 1];
        }
        for (uint256 k = 0; k < others.length; k++) s.part = s.part * others[k] * s.n / d;
        return _search(s, y, _most(_most(others[0], d) / 1e14, 100));
    }

    function _search(Search memory s, uint256 y, uint256 limit) private pure returns (uint256) {
        for (uint256 turn = 0; turn < 255; turn++) {
            uint256 previous = y;
            bool halved;
            (y, halved) = _stepOfBalance(s, y);
            uint256 moved = y > previous ? y - previous : previous - y;
            if (!halved && moved < _most(y / 1e14, limit)) return y;
        }
        revert NotConverged();
    }

    function _stepOfBalance(Search memory s, uint256 y) private pure returns (uint256, bool halved) {
        uint256 k0 = s.part * y * s.n / s.d;
        (uint256 g, uint256 inverse) = _weights(s.d, k0, s.amp, s.gamma);
        uint256 growth = ONE + 2 * ONE * k0 / g;
        uint256 gain = ONE * y + (s.sum + y) * growth + inverse;
        if (gain < s.d * growth) return (y / 2, true);
        gain -= s.d * growth;
        uint256 slope = gain / y;
        uint256 minus = inverse / slope;
        uint256 plus = (gain + ONE * s.d) / slope + minus * ONE / k0;
        minus += ONE * (s.sum + y) / slope;
        return (plus < minus ? y / 2 : plus - minus, false);
    }

    /// The geometric mean.
    function mean(uint256[] memory x) internal pure returns (uint256) {
        return x.length == 2 ? sqrt(x[0] * x[1]) : cbrt(x[0] * x[1] / ONE * x[2] / ONE);
    }

    function sqrt(uint256 x) internal pure returns (uint256 root) {
        if (x < 2) return x;
        root = 1 << (_log2(x) / 2 + 1);
        for (;;) {
            uint256 next = (root + x / root) / 2;
            if (next >= root) return root;
            root = next;
        }
    }

    /// The cube root of a number with 18 decimals, by seven steps.
    function cbrt(uint256 x) internal pure returns (uint256 root) {
        uint256 most = type(uint256).max / 1e36 + 1;
        (uint256 scale, uint256 unscale) = (1e36, 1);
        if (x >= most * ONE) (scale, unscale) = (1, 1e12);
        else if (x >= most) (scale, unscale) = (ONE, 1e6);
        x *= scale;
        if (x == 0) return 0;
        uint256 log2 = _log2(x);
        root = (1 << (log2 / 3)) * 1260 ** (log2 % 3) / 1000 ** (log2 % 3);
        for (uint256 turn = 0; turn < 7; turn++) root = (2 * root + x / (root * root)) / 3;
        root *= unscale;
    }

    function _log2(uint256 x) private pure returns (uint256 log) {
        for (uint256 step = 128; step > 0; step /= 2) if (x >> (log + step) != 0) log += step;
    }

    function _descending(uint256[] memory from) private pure returns (uint256[] memory x) {
        x = new uint256[](from.length);
        for (uint256 k = 0; k < x.length; k++) {
            uint256 at = k;
            for (; at > 0 && x[at - 1] < from[k]; at--) x[at] = x[at - 1];
            x[at] = from[k];
        }
    }

    function _check(uint256 value, uint256 least, uint256 most) private pure {
        if (value < least || value > most) revert Unsafe(value);
    }

    function _abs(int256 value) private pure returns (uint256) {
        return uint256(value < 0 ? -value : value);
    }

    function _most(uint256 a, uint256 b) private pure returns (uint256) {
        return a > b ? a : b;
    }

    function _least(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
