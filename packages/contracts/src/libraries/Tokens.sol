// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title The only five things ever asked of a token, whatever it answers.
/// @dev A transfer counts if the call succeeded and returned nothing or the word 1. Tokens that
/// return nothing are served, tokens that return false or rubbish are refused. The two calls are the
/// only assembly there is, and do nothing but not copy each answer to memory, which costs a swap 2 %.
library Tokens {
    /// @notice There is no contract at this address.
    error NoCode(address account);
    /// @notice The token reverted, or returned neither nothing nor true.
    error TransferFailed(address token, address from, address to, uint256 amount);
    /// @notice The token reverted, or returned neither nothing nor true.
    error ApproveFailed(address token, address spender, uint256 amount);
    /// @notice The token does not say what `account` holds.
    error BalanceUnreadable(address token, address account);
    /// @notice A permit's signature is r, s and v: 65 bytes.
    error BadSignatureLength(uint256 length);

    /// @notice Reverts unless a contract lives at `account`.
    function requireCode(address account) internal view {
        if (account.code.length == 0) revert NoCode(account);
    }

    /// @notice What `account` holds of `token`.
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

    /// @notice Sends `amount` of the caller's own `token`.
    function transfer(address token, address to, uint256 amount) internal {
        if (!_isAccepted(token, abi.encodeCall(IERC20.transfer, (to, amount)))) {
            revert TransferFailed(token, address(this), to, amount);
        }
    }

    /// @notice Lets `spender` take exactly `amount` of the caller's own `token`; 0 takes that back.
    function approve(address token, address spender, uint256 amount) internal {
        if (!_isAccepted(token, abi.encodeCall(IERC20.approve, (spender, amount)))) {
            revert ApproveFailed(token, spender, amount);
        }
    }

    /// @notice Moves `amount` of `token` from `msg.sender`, and from nobody else, to `to`.
    function pullFromSender(address token, address to, uint256 amount) internal {
        if (!_isAccepted(token, abi.encodeCall(IERC20.transferFrom, (msg.sender, to, amount)))) {
            revert TransferFailed(token, msg.sender, to, amount);
        }
    }

    /// @notice Shows `token` that `msg.sender`, and nobody else, lets this contract take `amount`.
    /// @dev Its answer is not judged: anyone who saw the signature may have shown it first, and the
    /// pull that follows fails unless there is an allowance.
    function permitFromSender(address token, uint256 amount, uint256 deadline, bytes calldata signature)
        internal
    {
        if (signature.length != 65) revert BadSignatureLength(signature.length);
        (bytes32 r, bytes32 s) = (bytes32(signature[:32]), bytes32(signature[32:64]));
        uint8 v = uint8(signature[64]);
        try IERC20(token).permit(msg.sender, address(this), amount, deadline, v, r, s) {} catch {}
    }

    /// @dev Whether the call went as the title has it; `data` names one of the functions above.
    function _isAccepted(address token, bytes memory data) private returns (bool ok) {
        uint256 size;
        uint256 word;
        assembly ("memory-safe") {
            ok := call(gas(), token, 0, add(data, 32), mload(data), 0, 32)
            size := returndatasize()
            word := mload(0)
        }
        // An address without code accepts everything in silence.
        if (size == 0) requireCode(token);
        return ok && (size == 0 || (size >= 32 && word == 1));
    }
}

/// @dev Used for its selectors only; return values are judged by hand above.
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
