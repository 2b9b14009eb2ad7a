// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title The five calls to tokens that the contracts make, safe against any return data.
/// @dev A call is accepted if it succeeded and returned either no data or the word 1. So tokens that
/// return nothing work, and tokens that return false or garbage are refused. The calls are in
/// assembly only to keep the return data out of memory, which would cost 2 % of the gas of a swap.
library Tokens {
    /// @notice There is no code at this address.
    error NoCode(address account);
    /// @notice The token reverted, or returned something other than no data or true.
    error TransferFailed(address token, address from, address to, uint256 amount);
    /// @notice The token reverted, or returned something other than no data or true.
    error ApproveFailed(address token, address spender, uint256 amount);
    /// @notice The token does not return the balance of `account`.
    error BalanceUnreadable(address token, address account);
    /// @notice The signature of a permit must be r, s and v, 65 bytes.
    error BadSignatureLength(uint256 length);

    /// @notice Reverts unless `account` has code.
    function requireCode(address account) internal view {
        if (account.code.length == 0) revert NoCode(account);
    }

    /// @notice The balance of `account` in `token`, in wei.
    function balanceOf(address token, address account) internal view returns (uint256) {
        bytes memory data = abi.encodeCall(IERC20.balanceOf, (account));
        bool ok;
        uint256 size;
        uint256 amount;
        assembly ("memory-safe") {
            ok := staticcall(gas(), token, add(data, 32), mload(data), 0, 32)
            size := returndatasize()
            amount := mload(0)
        }
        if (ok && size >= 32) return amount;
        requireCode(token);
        revert BalanceUnreadable(token, account);
    }

    /// @notice Sends `amount` of this contract's `token` to `to`.
    function transfer(address token, address to, uint256 amount) internal {
        if (!_isAccepted(token, abi.encodeCall(IERC20.transfer, (to, amount)))) {
            revert TransferFailed(token, address(this), to, amount);
        }
    }

    /// @notice Sets the allowance of `spender` on this contract's `token` to `amount`; 0 revokes it.
    function approve(address token, address spender, uint256 amount) internal {
        if (!_isAccepted(token, abi.encodeCall(IERC20.approve, (spender, amount)))) {
            revert ApproveFailed(token, spender, amount);
        }
    }

    /// @notice Moves `amount` of `token` from `msg.sender`, and from no other account, to `to`.
    function pullFromSender(address token, address to, uint256 amount) internal {
        if (!_isAccepted(token, abi.encodeCall(IERC20.transferFrom, (msg.sender, to, amount)))) {
            revert TransferFailed(token, msg.sender, to, amount);
        }
    }

    /// @notice Submits the permit by which `msg.sender`, and no other account, allows `amount`.
    /// @dev A failure is ignored, because anyone who saw the signature may have submitted it first. The
    /// pull that follows reverts unless there is an allowance.
    function permitFromSender(address token, uint256 amount, uint256 deadline, bytes calldata signature)
        internal
    {
        if (signature.length != 65) revert BadSignatureLength(signature.length);
        (bytes32 r, bytes32 s) = (bytes32(signature[:32]), bytes32(signature[32:64]));
        uint8 v = uint8(signature[64]);
        try IERC20(token).permit(msg.sender, address(this), amount, deadline, v, r, s) {} catch {}
    }

    /// @dev Calls `token` with `data` and applies the rule at the top of this library to the result.
    function _isAccepted(address token, bytes memory data) private returns (bool ok) {
        uint256 size;
        uint256 word;
        assembly ("memory-safe") {
            ok := call(gas(), token, 0, add(data, 32), mload(data), 0, 32)
            size := returndatasize()
            word := mload(0)
        }
        // A call to an address without code succeeds and returns no data.
        if (size == 0) requireCode(token);
        return ok && (size == 0 || (size >= 32 && word == 1));
    }
}

/// @dev Used only for encoding; the library checks the return data itself.
interface IERC20 {
    function balanceOf(address account) external view returns (uint256);

    function transfer(address to, uint256 amount) external returns (bool);

    function approve(address spender, uint256 amount) external returns (bool);

    function transferFrom(address from, address to, uint256 amount) external returns (bool);

    function permit(
        address owner,
        address spender,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}
