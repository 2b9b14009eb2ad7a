// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";

/// @title A hop through an ERC-4626 vault: one deposit of assets, or one redemption of shares.
library Erc4626 {
    /// @notice The vault took `taken` and not exactly `amountIn`.
    error VaultTookOther(address vault, uint256 amountIn, uint256 taken);
    /// @notice The hop redeems, but its token in is not the share token, which is the vault itself.
    error NotItsShares(address vault, address token);

    /// @notice Deposits or redeems exactly `amountIn`; the output goes to `to`.
    /// @dev The vault is approved for `amountIn` only. The approval is revoked after the call, used or
    /// not, because this contract may have the same token again in a later hop.
    function swap(address vault, address tokenIn, uint256 amountIn, bool isDeposit, address to)
        internal
    {
        uint256 beforeSwap = Tokens.balanceOf(tokenIn, address(this));
        if (isDeposit) {
            Tokens.approve(tokenIn, vault, amountIn);
            IVault(vault).deposit(amountIn, to);
            Tokens.approve(tokenIn, vault, 0);
        } else {
            // A redemption needs no approval: without this check, donated shares could be redeemed.
            if (tokenIn != vault) revert NotItsShares(vault, tokenIn);
            IVault(vault).redeem(amountIn, to, address(this));
        }
        uint256 afterSwap = Tokens.balanceOf(tokenIn, address(this));
        uint256 taken = afterSwap < beforeSwap ? beforeSwap - afterSwap : 0;
        if (taken != amountIn) revert VaultTookOther(vault, amountIn, taken);
    }
}

/// @dev The return values are not read, because the executor measures the output.
interface IVault {
    function deposit(uint256 assets, address receiver) external;

    function redeem(uint256 shares, address receiver, address owner) external;
}
