// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BalancerV3} from "./BalancerV3.sol";

/// @title A hop through an ERC-4626 buffer of Balancer V3's vault, and the vault's callback.
/// @dev The hop names the vault, and a hostile program any contract. Such a contract gets what a hostile
/// pool gets: exactly the hop's input, once, and the executor measures the output.
abstract contract BalancerBuffer is BalancerV3 {
    /// @notice Wraps or unwraps exactly `amountIn` of `tokenIn`; the output goes to this contract.
    function _swapBalancerBuffer(address vault, address tokenIn, address tokenOut, uint256 amountIn, bool isWrap)
        internal
    {
        bytes memory data = abi.encodeCall(this.balancerBufferCallback, (tokenIn, tokenOut, amountIn, isWrap));
        _unlock(vault, this.balancerBufferCallback.selector, data);
    }

    /// @notice The vault calls its unlocker with the bytes that it was given, which are this call.
    /// @dev The vault's own limit is 0, because the floor of the order limits the price. If the buffer has too
    /// little, the vault calls the wrapped token, and pays the same.
    function balancerBufferCallback(address tokenIn, address tokenOut, uint256 amountIn, bool isWrap) external {
        _enter(msg.data);
        BufferWrapOrUnwrapParams memory params;
        params.direction = isWrap ? 0 : 1;
        params.wrappedToken = isWrap ? tokenOut : tokenIn;
        params.amountGivenRaw = amountIn;
        (,, uint256 amountOut) = IBalancerV3Buffers(msg.sender).erc4626BufferWrapOrUnwrap(params);
        _settle(tokenIn, amountIn, tokenOut, amountOut);
    }
}

/// @dev `kind` 0 is a given input; `direction` 0 is into the wrapped token.
struct BufferWrapOrUnwrapParams {
    uint8 kind;
    uint8 direction;
    address wrappedToken;
    uint256 amountGivenRaw;
    uint256 limitRaw;
}

interface IBalancerV3Buffers {
    function erc4626BufferWrapOrUnwrap(BufferWrapOrUnwrapParams calldata params)
        external
        returns (uint256 amountCalculated, uint256 amountIn, uint256 amountOut);
}
