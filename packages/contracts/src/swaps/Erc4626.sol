// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";

/// @title One deposit into, or one redemption from, an ERC-4626 vault.
library Erc4626 {
    /// @notice The vault took another amount than it was given.
    error VaultTookOther(address vault, uint256 amountIn, uint256 taken);
    /// @notice What is redeemed are a vault's own shares, and the hop names another token.
    error NotItsShares(address vault, address token);

    /// @notice Deposits or redeems exactly `amountIn`; what it brings goes `to` where it is told.
    /// @dev The vault is approved for the amount alone, and the approval is taken back whatever it
    /// did with it: a later hop may hold the same token.
    function swap(address vault, address tokenIn, uint256 amountIn, bool isDeposit, address to)
        internal
    {
        uint256 beforeSwap = Tokens.balanceOf(tokenIn, address(this));
        if (isDeposit) {
            Tokens.approve(tokenIn, vault, amountIn);
            IVault(vault).deposit(amountIn, to);
            Tokens.approve(tokenIn, vault, 0);
        } else {
            // The vault asks nobody: whatever shares lie here would go, a gift too.
            if (tokenIn != vault) revert NotItsShares(vault, tokenIn);
            IVault(vault).redeem(amountIn, to, address(this));
        }
        uint256 afterSwap = Tokens.balanceOf(tokenIn, address(this));
        uint256 taken = afterSwap < beforeSwap ? beforeSwap - afterSwap : 0;
        if (taken != amountIn) revert VaultTookOther(vault, amountIn, taken);
    }
}

/// @dev What they return is not read: the output is measured.
interface IVault {
    function deposit(uint256 assets, address receiver) external;

    function redeem(uint256 shares, address receiver, address owner) external;
}
