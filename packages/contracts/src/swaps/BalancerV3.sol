// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";
import {Unlock} from "../libraries/Unlock.sol";

/// @title A hop through a pool of Balancer V3, whose vault keeps the tokens, and the vault's callback.
/// @dev A pool names its vault, and a hostile pool any contract. Such a contract gets what a hostile pool
/// gets: exactly the hop's input, once, and the executor measures the output.
abstract contract BalancerV3 is Unlock {
    /// @notice Sells exactly `amountIn` of `tokenIn`; the output goes to this contract.
    function _swapBalancerV3(address pool, address tokenIn, address tokenOut, uint256 amountIn) internal {
        address vault = IBalancerV3Pool(pool).getVault();
        bytes memory data = abi.encodeCall(this.balancerV3Callback, (pool, tokenIn, tokenOut, amountIn));
        _unlock(vault, this.balancerV3Callback.selector, data);
    }

    /// @notice The vault calls its unlocker with the bytes that it was given, which are this call.
    /// @dev The pool's own minimum is 0, because the floor of the order limits the price. The vault reverts
    /// unless the swap's input is paid exactly and its output is taken exactly.
    function balancerV3Callback(address pool, address tokenIn, address tokenOut, uint256 amountIn) external {
        _enter(msg.data);
        VaultSwapParams memory params;
        params.pool = pool;
        params.tokenIn = tokenIn;
        params.tokenOut = tokenOut;
        params.amountGivenRaw = amountIn;
        (,, uint256 amountOut) = IBalancerV3Vault(msg.sender).swap(params);
        _settle(tokenIn, amountIn, tokenOut, amountOut);
    }

    /// @dev Pays the vault that calls, and takes the output that it owes.
    function _settle(address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOut) internal {
        Tokens.transfer(tokenIn, msg.sender, amountIn);
        IBalancerV3Vault(msg.sender).settle(tokenIn, amountIn);
        IBalancerV3Vault(msg.sender).sendTo(tokenOut, address(this), amountOut);
    }
}

/// @dev `kind` 0 is a swap of an exact input.
struct VaultSwapParams {
    uint8 kind;
    address pool;
    address tokenIn;
    address tokenOut;
    uint256 amountGivenRaw;
    uint256 limitRaw;
    bytes userData;
}

interface IBalancerV3Pool {
    function getVault() external view returns (address);
}

/// @dev The return value of `settle` is not read, because the vault compares all debts and credits itself.
interface IBalancerV3Vault {
    function swap(VaultSwapParams calldata params)
        external
        returns (uint256 amountCalculated, uint256 amountIn, uint256 amountOut);
    function settle(address token, uint256 amountHint) external;
    function sendTo(address token, address to, uint256 amount) external;
}
