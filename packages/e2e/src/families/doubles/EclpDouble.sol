// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Our double of a Gyro E-CLP for Balancer's vault, because nobody publishes its bytecode.
///
/// It rounds each product of core's formula (eclp.ts, eclpInvariant.ts) as it is there, but is arranged
/// otherwise: it derives its parameters from the price bounds, has one signed multiplication with the
/// unit and the direction as arguments, and turns the ellipse around for token 1 before it begins.
/// So it shows that loader, vault and executor fit the formula; recorded answers show that the formula is
/// that of the real pools.

struct Point {
    int256 x;
    int256 y;
}

struct Shape {
    int256 alpha;
    int256 beta;
    int256 c;
    int256 s;
    int256 lambda;
}

struct Derived {
    Point tauAlpha;
    Point tauBeta;
    int256 u;
    int256 v;
    int256 w;
    int256 z;
    int256 dSq;
}

struct PoolSwapParams {
    uint8 kind;
    uint256 amountGivenScaled18;
    uint256[] balancesScaled18;
    uint256 indexIn;
    uint256 indexOut;
    address router;
    bytes userData;
}

/// @dev Numbers have 18 decimals, factors 38. `In` and `Out` round a magnitude, `Down` and `Up` a value.
library Signed {
    int256 internal constant NUMBER = 1e18;
    int256 internal constant FACTOR = 1e38;
    int256 private constant HALF = 1e19;

    function divided(int256 dividend, int256 divisor, bool isOut) internal pure returns (int256 quotient) {
        quotient = dividend / divisor;
        if (isOut && quotient * divisor != dividend) quotient += (dividend > 0) == (divisor > 0) ? int256(1) : -1;
    }

    function mulIn(int256 a, int256 b) internal pure returns (int256) {
        return divided(a * b, NUMBER, false);
    }

    function mulOut(int256 a, int256 b) internal pure returns (int256) {
        return divided(a * b, NUMBER, true);
    }

    function overIn(int256 a, int256 b) internal pure returns (int256) {
        return divided(a * NUMBER, b, false);
    }

    function overOut(int256 a, int256 b) internal pure returns (int256) {
        return divided(a * NUMBER, b, true);
    }

    function times(int256 a, int256 b) internal pure returns (int256) {
        return a * b / FACTOR;
    }

    function over(int256 a, int256 b) internal pure returns (int256) {
        return a * FACTOR / b;
    }

    function down(int256 number, int256 factor) internal pure returns (int256) {
        return -up(-number, factor);
    }

    function up(int256 number, int256 factor) internal pure returns (int256) {
        int256 high = number * (factor / HALF);
        int256 low = number * (factor % HALF);
        bool isPositive = high > 0 || low > 0;
        return divided(high + low / HALF - (isPositive ? int256(1) : int256(0)), HALF, false)
            + (isPositive ? int256(1) : int256(0));
    }

    /// @dev Rounded down, by Newton's method from above.
    function root(int256 square) internal pure returns (int256) {
        if (square <= 0) return 0;
        uint256 n = uint256(square) * 1e18;
        uint256 guess = 1 << 128;
        for (uint256 rest = n; rest < 1 << 248; rest <<= 8) guess >>= 4;
        for (uint256 next = (guess + n / guess) / 2; next < guess; next = (guess + n / guess) / 2) guess = next;
        return int256(guess);
    }
}

contract EclpDouble {
    using Signed for int256;

    struct Bounds {
        int256 low;
        int256 high;
    }

    /// @dev What the balance of one token follows from that of the other: the ellipse seen from the token in.
    struct View {
        int256 c;
        int256 s;
        int256 lambda;
        int256 dSq;
        Point tau;
        Bounds r;
    }

    uint256 public constant getMinimumSwapFeePercentage = 1e12;
    uint256 public constant getMaximumSwapFeePercentage = 1e18;
    uint256 public constant getMinimumInvariantRatio = 6e17;
    uint256 public constant getMaximumInvariantRatio = 5e18;

    address public immutable getVault;
    Shape private shape;
    Derived private derived;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor(address vault, Shape memory shape_, Derived memory derived_) {
        getVault = vault;
        shape = shape_;
        derived = derived_;
    }

    function getECLPParams() external view returns (Shape memory, Derived memory) {
        return (shape, derived);
    }

    function emitTransfer(address from, address to, uint256 amount) external {
        emit Transfer(from, to, amount);
    }

    function computeInvariant(uint256[] memory balances, uint8 rounding) external view returns (uint256) {
        Bounds memory r = invariant(balances);
        return uint256(rounding == 1 ? (r.low + r.high) / 2 : r.low);
    }

    function onSwap(PoolSwapParams memory request) external view returns (uint256) {
        require(request.kind == 0, "exact inputs only");
        Bounds memory r = invariant(request.balancesScaled18);
        bool isFirst = request.indexIn == 0;
        int256 x = int256(request.balancesScaled18[request.indexIn] + request.amountGivenScaled18);
        int256 y = int256(request.balancesScaled18[request.indexOut]);
        require(x <= 1e34 && x <= largest(r, isFirst), "asset bounds");
        int256 left = otherBalance(x, r, isFirst);
        require(left >= 0 && left <= y, "asset bounds");
        return uint256(y - left);
    }

    // ---- the invariant ----

    function invariant(uint256[] memory balances) private view returns (Bounds memory) {
        (int256 x, int256 y) = (int256(balances[0]), int256(balances[1]));
        require(x + y <= 1e34, "balances");
        (Shape memory p, Derived memory d) = (shape, derived);
        int256 sqrt = Signed.root(crossSquares(x, y, p, d) + crossProducts(x, y, p, d) + alongSquares(x, y, p, d));
        int256 error = (x.mulOut(x) + y.mulOut(y)) / 1e38;
        if (sqrt > 0) error = (error + 1).overOut(2 * sqrt);
        else error = error > 0 ? Signed.root(error) : int256(1e9);
        error = 20 * (p.lambda.mulOut(x + y) / 1e38 + error + 1);
        int256 inverse = Signed.FACTOR.over(centreSquare(p, d) - Signed.FACTOR);
        int256 r = (centreProduct(x, y, p, d) + sqrt - error).down(inverse);
        error = error.up(inverse) + r.up(inverse) * (p.lambda * p.lambda / 1e36) * 40 / 1e38 + 1;
        require(r > 0 && r + error <= 3e37, "invariant");
        return Bounds(r, r + 2 * error);
    }

    function centreSquare(Shape memory p, Derived memory d) private pure returns (int256 sum) {
        int256 cube = d.dSq.times(d.dSq).times(d.dSq);
        int256 x = d.w.overOut(p.lambda) + d.z;
        sum = x.times(x).over(cube) + d.v.times(d.v).over(cube);
        sum += (d.u + 1).times(d.u + 1).over(cube).mulOut(p.lambda).mulOut(p.lambda);
        sum += p.lambda.mulOut((2 * d.u).times(d.v).over(cube));
    }

    function centreProduct(int256 x, int256 y, Shape memory p, Derived memory d) private pure returns (int256 sum) {
        int256 square = d.dSq.times(d.dSq);
        sum = (x.mulIn(p.s) + y.mulIn(p.c)).down(d.v.over(square));
        sum += (x.mulIn(p.lambda).mulIn(p.s) + y.mulIn(p.lambda).mulIn(p.c)).down(d.u.over(square));
        int256 factor = (d.w.overIn(p.lambda) + d.z).overIn(p.lambda).over(square);
        sum += (x.mulIn(p.c) - y.mulIn(p.s)).down(factor);
    }

    function fourth(int256 dSq) private pure returns (int256) {
        return dSq.times(dSq).times(dSq).times(dSq);
    }

    function crossSquares(int256 x, int256 y, Shape memory p, Derived memory d) private pure returns (int256) {
        int256 sum = x.mulOut(x).mulOut(p.c).mulOut(p.c) + y.mulOut(y).mulOut(p.s).mulOut(p.s);
        sum -= x.mulIn(y).mulIn(2 * p.c).mulIn(p.s);
        int256 factor = d.v.times(d.v).overIn(p.lambda).overIn(p.lambda);
        factor += (2 * d.u).times(d.v).overIn(p.lambda) + d.u.times(d.u);
        int256 own = (sum - 9).overIn(p.lambda).overIn(p.lambda).down(Signed.FACTOR.over(d.dSq));
        return own + (-sum).down(factor.over(fourth(d.dSq)));
    }

    function crossProducts(int256 x, int256 y, Shape memory p, Derived memory d) private pure returns (int256) {
        int256 both = y.mulIn(2 * x);
        int256 sum = both.mulIn(p.c).mulIn(p.c) - both.mulIn(p.s).mulIn(p.s);
        sum += (x.mulIn(x) - y.mulOut(y)).mulIn(2 * p.c).mulIn(p.s);
        int256 factor = (d.w.times(d.u) + d.z.times(d.v)).overIn(p.lambda);
        factor += d.w.times(d.v).overIn(p.lambda).overIn(p.lambda) + d.z.times(d.u);
        return sum.down(factor.over(fourth(d.dSq)));
    }

    function alongSquares(int256 x, int256 y, Shape memory p, Derived memory d) private pure returns (int256) {
        int256 sum = x.mulOut(y).mulOut(2 * p.s).mulOut(p.c);
        sum += x.mulOut(x).mulOut(p.s).mulOut(p.s) + y.mulOut(y).mulOut(p.c).mulOut(p.c);
        int256 factor = (2 * d.z).times(d.w).overIn(p.lambda) + d.z.times(d.z);
        factor += d.w.times(d.w).overIn(p.lambda).overIn(p.lambda);
        return (sum - 9).down(Signed.FACTOR.over(d.dSq)) + (-sum).down(factor.over(fourth(d.dSq)));
    }

    // ---- the swap ----

    function largest(Bounds memory r, bool isFirst) private view returns (int256) {
        (Shape memory p, Derived memory d) = (shape, derived);
        (int256 main, int256 side) = isFirst ? (p.c, p.s) : (p.s, p.c);
        int256 rise = (isFirst ? d.tauBeta.y - d.tauAlpha.y : d.tauAlpha.y - d.tauBeta.y).over(d.dSq);
        int256 run = (d.tauBeta.x - d.tauAlpha.x).over(d.dSq);
        return r.low.mulIn(p.lambda).mulIn(main).down(run)
            + (rise > 0 ? r.low.mulIn(side) : r.high.mulOut(side)).down(rise);
    }

    /// @dev The centre's coordinate, `main` being c of token 0 and s of token 1.
    function centre(Bounds memory r, Point memory tau, int256 main, int256 side) private view returns (int256) {
        (int256 lambda, int256 dSq) = (shape.lambda, derived.dSq);
        int256 x = tau.x.over(dSq);
        int256 wide = tau.x > 0 ? r.high.mulOut(lambda).mulOut(main).up(x) : r.low.mulIn(lambda).mulIn(main).up(x);
        return wide + r.high.mulOut(side).up(tau.y.over(dSq));
    }

    function otherBalance(int256 x, Bounds memory r, bool isFirst) private view returns (int256) {
        Shape memory p = shape;
        Derived memory d = derived;
        Point memory turned = Point(-d.tauAlpha.x, d.tauAlpha.y);
        int256 a = centre(r, d.tauBeta, p.c, p.s);
        int256 b = centre(r, turned, p.s, p.c);
        View memory v = isFirst
            ? View(p.c, p.s, p.lambda, d.dSq, d.tauBeta, r)
            : View(p.s, p.c, p.lambda, d.dSq, turned, r);
        return isFirst ? solve(v, x, a - x) + b : solve(v, x, b - x) + a;
    }

    function solve(View memory v, int256 x, int256 distance) private pure returns (int256) {
        int256 high = Signed.FACTOR - Signed.FACTOR.overIn(v.lambda).overIn(v.lambda);
        int256 low = Signed.FACTOR - Signed.FACTOR.overOut(v.lambda).overOut(v.lambda);
        int256 linear = distance < 0
            ? distance.mulIn(v.s).mulIn(v.c).up(low.over(v.dSq))
            : distance.mulOut(v.s).mulOut(v.c).up(high.over(v.dSq) + 1);
        (low, high) = (
            Signed.FACTOR - high.mulOut(v.s).mulOut(v.s).over(v.dSq + 1) - 1,
            Signed.FACTOR - low.mulIn(v.s).mulIn(v.s).over(v.dSq)
        );
        int256 top = linear - Signed.root(v.r.low.mulIn(v.r.low).down(low) - distanceSquare(v, x));
        return top.up(top > 0 ? Signed.FACTOR.over(low) + 1 : Signed.FACTOR.over(high));
    }

    /// @dev (q₀ + (q₁ + q₂/λ)/λ) with each part rounded up.
    function distanceSquare(View memory v, int256 x) private pure returns (int256) {
        int256 square = v.r.high.mulOut(v.r.high);
        int256 dSq2 = v.dSq.times(v.dSq);
        int256 q = square.mulOut(v.s).mulOut(v.s).up(v.tau.y.times(v.tau.y).over(dSq2) + 7);
        q += (-v.r.low).mulIn(x).mulIn(2 * v.s).up(v.tau.y.over(v.dSq)) + x.mulOut(x);
        q = q > 0 ? q.overOut(v.lambda) : q.overIn(v.lambda);
        q += mixed(v, square, dSq2) + beside(v, x);
        q = q > 0 ? q.overOut(v.lambda) : q.overIn(v.lambda);
        return q + square.mulOut(v.c).mulOut(v.c).up(v.tau.x.times(v.tau.x).over(dSq2) + 7);
    }

    function mixed(View memory v, int256 square, int256 dSq2) private pure returns (int256) {
        int256 factor = v.tau.x.times(v.tau.y).over(dSq2);
        if (factor > 0) return square.mulOut(2 * v.s).mulOut(v.c).up(factor + 7);
        return v.r.low.mulIn(v.r.low).mulIn(2 * v.s).mulIn(v.c).up(factor);
    }

    function beside(View memory v, int256 x) private pure returns (int256) {
        int256 factor = v.tau.x.over(v.dSq);
        if (v.tau.x < 0) return v.r.high.mulOut(x).mulOut(2 * v.c).up(3 - factor);
        return (-v.r.low).mulIn(x).mulIn(2 * v.c).up(factor);
    }
}
