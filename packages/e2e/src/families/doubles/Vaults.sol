// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20 as OzERC20} from "@uniswap/v4-core/lib/openzeppelin-contracts/contracts/token/ERC20/ERC20.sol";
import {
    ERC4626 as OzERC4626,
    IERC20 as IOzERC20
} from "@uniswap/v4-core/lib/openzeppelin-contracts/contracts/token/ERC20/extensions/ERC4626.sol";
import {ERC20 as SolmateERC20} from "@uniswap/v4-core/lib/solmate/src/tokens/ERC20.sol";
import {ERC4626 as SolmateERC4626} from "@uniswap/v4-core/lib/solmate/src/mixins/ERC4626.sol";

/// @title OpenZeppelin's vault with an offset of its decimals.
contract OpenZeppelinVault is OzERC4626 {
    uint8 private immutable _offset;

    constructor(address asset, uint8 offset) OzERC4626(IOzERC20(asset)) OzERC20("Vault", "vOZ") {
        _offset = offset;
    }

    function _decimalsOffset() internal view override returns (uint8) {
        return _offset;
    }
}

/// @title OpenZeppelin's vault with a cap on deposits.
contract CappedVault is OpenZeppelinVault {
    uint256 private immutable _cap;

    constructor(address asset, uint8 offset, uint256 cap) OpenZeppelinVault(asset, offset) {
        _cap = cap;
    }

    function maxDeposit(address) public view override returns (uint256) {
        uint256 total = totalAssets();
        return total < _cap ? _cap - total : 0;
    }
}

/// @title solmate's vault, whose total assets are its balance.
contract SolmateVault is SolmateERC4626 {
    constructor(address asset) SolmateERC4626(SolmateERC20(asset), "Vault", "vSM") {}

    function totalAssets() public view override returns (uint256) {
        return asset.balanceOf(address(this));
    }
}

/// @title A vault that counts lent-out assets.
contract LendingVault is OpenZeppelinVault {
    constructor(address asset, uint8 offset) OpenZeppelinVault(asset, offset) {}

    function totalAssets() public view override returns (uint256) {
        return super.totalAssets() + 1e18;
    }
}

/// @title A vault that keeps a thousandth of every deposit.
contract FeeVault is OpenZeppelinVault {
    constructor(address asset, uint8 offset) OpenZeppelinVault(asset, offset) {}

    function previewDeposit(uint256 assets) public view override returns (uint256) {
        return super.previewDeposit(assets - assets / 1000);
    }
}

/// @title A vault that lends assets at a rate by the second, and pays only what it has not lent.
contract GrowingVault is OpenZeppelinVault {
    uint256 private constant PER_SECOND = 1e11;
    uint256 private immutable _since = block.timestamp;
    uint256 private _lent;

    constructor(address asset, uint8 offset) OpenZeppelinVault(asset, offset) {}

    function lend(uint256 amount) external {
        _lent += amount;
        OzERC20(asset()).transfer(msg.sender, amount);
    }

    function totalAssets() public view override returns (uint256) {
        uint256 grown = _lent * (1e18 + PER_SECOND * (block.timestamp - _since)) / 1e18;
        return super.totalAssets() + grown;
    }
}
