// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BufferWrapOrUnwrapParams} from "../../src/swaps/BalancerBuffer.sol";
import {VaultSwapParams} from "../../src/swaps/BalancerV3.sol";
import {TestToken} from "../../src/testing/TestToken.sol";

/// @title A double of Balancer V3's vault: unlocking, and debts and credits that must end at zero.
/// @dev Its pools have two tokens and the constant-product formula. The end-to-end tests use the real vault.
contract BalancerVault {
    bool public unlocked;
    uint256 private _open;
    mapping(address => int256) private _deltas;
    mapping(address => uint256) private _reserves;
    mapping(address => mapping(address => uint256)) public balances;

    struct Buffer {
        address asset;
        address previews;
    }

    mapping(address => Buffer) public bufferOf;

    error VaultIsNotUnlocked();
    error BalanceNotSettled();
    error CannotSwapSameToken();
    error TokenNotRegistered();

    /// @notice A pool whose tokens were sent here before.
    function create(address x, address y) external returns (BalancerPool pool) {
        pool = new BalancerPool();
        address[2] memory tokens = [x, y];
        for (uint256 i = 0; i < 2; i++) {
            uint256 held = TestToken(tokens[i]).balanceOf(address(this));
            balances[address(pool)][tokens[i]] = held - _reserves[tokens[i]];
            _reserves[tokens[i]] = held;
        }
    }

    /// @notice A buffer whose tokens were sent here before. `previews` converts as the wrapped token does.
    function createBuffer(address asset, address wrapped, address previews) external {
        bufferOf[wrapped] = Buffer(asset, previews);
        address[2] memory tokens = [asset, wrapped];
        for (uint256 i = 0; i < 2; i++) {
            uint256 held = TestToken(tokens[i]).balanceOf(address(this));
            balances[wrapped][tokens[i]] = held - _reserves[tokens[i]];
            _reserves[tokens[i]] = held;
        }
    }

    function unlock(bytes calldata data) external returns (bytes memory result) {
        bool wasUnlocked = unlocked;
        unlocked = true;
        bool ok;
        (ok, result) = msg.sender.call(data);
        if (!ok) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
        if (wasUnlocked) return result;
        if (_open != 0) revert BalanceNotSettled();
        unlocked = false;
    }

    function quote(address pool, address tokenIn, address tokenOut, uint256 amountIn) public view returns (uint256) {
        (uint256 x, uint256 y) = (balances[pool][tokenIn], balances[pool][tokenOut]);
        if (x == 0 || y == 0) revert TokenNotRegistered();
        return y * amountIn / (x + amountIn);
    }

    function swap(VaultSwapParams calldata params) external returns (uint256, uint256, uint256 amountOut) {
        if (params.tokenIn == params.tokenOut) revert CannotSwapSameToken();
        require(params.kind == 0 && params.limitRaw == 0 && params.userData.length == 0, "not an exact input");
        amountOut = quote(params.pool, params.tokenIn, params.tokenOut, params.amountGivenRaw);
        balances[params.pool][params.tokenIn] += params.amountGivenRaw;
        balances[params.pool][params.tokenOut] -= amountOut;
        account(params.tokenIn, int256(params.amountGivenRaw));
        account(params.tokenOut, -int256(amountOut));
        return (amountOut, params.amountGivenRaw, amountOut);
    }

    /// @notice Inside the buffer's balances only.
    function erc4626BufferWrapOrUnwrap(BufferWrapOrUnwrapParams calldata params)
        external
        returns (uint256, uint256, uint256 amountOut)
    {
        (address wrapped, uint256 amountIn) = (params.wrappedToken, params.amountGivenRaw);
        require(params.kind == 0 && params.limitRaw == 0, "not an exact input");
        amountOut = quoteBuffer(wrapped, amountIn, params.direction == 0);
        address asset = bufferOf[wrapped].asset;
        require(asset != address(0), "no buffer");
        (address tokenIn, address tokenOut) = params.direction == 0 ? (asset, wrapped) : (wrapped, asset);
        balances[wrapped][tokenIn] += amountIn;
        balances[wrapped][tokenOut] -= amountOut;
        account(tokenIn, int256(amountIn));
        account(tokenOut, -int256(amountOut));
        return (amountOut, amountIn, amountOut);
    }

    function quoteBuffer(address wrapped, uint256 amountIn, bool isWrap) public view returns (uint256) {
        IPreviews previews = IPreviews(bufferOf[wrapped].previews);
        if (isWrap) return previews.previewDeposit(amountIn - 1) - 1;
        return previews.previewRedeem(amountIn - 1) - 1;
    }

    function settle(address token, uint256 hint) external returns (uint256 credit) {
        uint256 current = TestToken(token).balanceOf(address(this));
        credit = current - _reserves[token];
        if (credit > hint) credit = hint;
        _reserves[token] = current;
        account(token, -int256(credit));
    }

    function sendTo(address token, address to, uint256 amount) external {
        account(token, int256(amount));
        _reserves[token] -= amount;
        TestToken(token).transfer(to, amount);
    }

    function account(address token, int256 delta) private {
        if (!unlocked) revert VaultIsNotUnlocked();
        int256 sum = _deltas[token] + delta;
        if (_deltas[token] == 0 && sum != 0) _open++;
        if (_deltas[token] != 0 && sum == 0) _open--;
        _deltas[token] = sum;
    }
}

interface IPreviews {
    function previewDeposit(uint256 assets) external view returns (uint256);
    function previewRedeem(uint256 shares) external view returns (uint256);
}

/// @title A pool of the double; the vault has its tokens and its formula.
contract BalancerPool {
    address public immutable getVault = msg.sender;
}
