// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {LiquidityBookFactoryDouble, LiquidityBookDouble, StaticFee} from "../../src/testing/LiquidityBookDouble.sol";
import {Amm} from "./Amm.sol";

/// @title Creates pairs of Liquidity Book with bins around the price of one.
abstract contract Bins is Amm {
    uint24 internal constant MIDDLE = 1 << 23;

    /// A pair with `reserve` of a token in each of twenty bins on its side, and of both in the middle.
    function createBins(address tokenX, address tokenY, uint256 reserve) internal returns (address) {
        StaticFee memory fee = StaticFee(8000, 30, 600, 5000, 20_000, 1000, 350_000);
        LiquidityBookDouble pair =
            LiquidityBookDouble(new LiquidityBookFactoryDouble().create(tokenX, tokenY, 20, MIDDLE, fee));
        (uint256[] memory ids, bytes32[] memory amounts) = (new uint256[](41), new bytes32[](41));
        for (uint256 k = 0; k < 41; k++) {
            ids[k] = MIDDLE - 20 + k;
            amounts[k] = bytes32((k < 20 ? 0 : reserve) | (k > 20 ? 0 : reserve << 128));
        }
        give(tokenX, address(pair), 21 * reserve);
        give(tokenY, address(pair), 21 * reserve);
        pair.deposit(ids, amounts);
        return address(pair);
    }
}
