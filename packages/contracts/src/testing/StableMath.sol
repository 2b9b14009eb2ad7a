// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Solidly's stable invariant x³y + xy³ in 18 decimals, rounded down after each product.
/// @dev For tests only: written by us from the formulas, because nobody publishes the pairs' bytecode.
library StableMath {
    uint256 internal constant WAD = 1e18;

    function invariant(uint256 x, uint256 y) internal pure returns (uint256) {
        uint256 product = x * y / WAD;
        return product * (x * x / WAD + y * y / WAD) / WAD;
    }

    /// Newton's iteration for y as in the first Solidly.
    function solveOriginal(uint256 x, uint256 k, uint256 y) internal pure returns (uint256) {
        for (uint256 i = 0; i < 255; i++) {
            uint256 before = y;
            uint256 now_ = x * (y * y / WAD * y / WAD) / WAD + (x * x / WAD * x / WAD) * y / WAD;
            if (now_ < k) y += (k - now_) * WAD / slope(x, y);
            else y -= (now_ - k) * WAD / slope(x, y);
            if ((y > before ? y - before : before - y) <= 1) return y;
        }
        return y;
    }

    /// Newton's iteration for y as in Velodrome v2.
    function solveVelodrome(uint256 x, uint256 k, uint256 y) internal pure returns (uint256) {
        for (uint256 i = 0; i < 255; i++) {
            uint256 now_ = invariant(x, y);
            if (now_ < k) {
                uint256 step = (k - now_) * WAD / slope(x, y);
                if (step == 0 && invariant(x, y + 1) > k) return y + 1;
                y += step == 0 ? 1 : step;
            } else {
                uint256 step = (now_ - k) * WAD / slope(x, y);
                if (step == 0 && (now_ == k || invariant(x, y - 1) < k)) return y;
                y -= step == 0 ? 1 : step;
            }
        }
        revert("!y");
    }

    function slope(uint256 x, uint256 y) private pure returns (uint256) {
        return 3 * x * (y * y / WAD) / WAD + x * x / WAD * x / WAD;
    }
}
