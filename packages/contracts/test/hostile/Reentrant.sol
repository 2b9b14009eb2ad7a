// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TestToken} from "../../src/testing/TestToken.sol";

/// @title A pool, vault or manager that makes the right callback, and again inside each call that it then gets.
/// @dev A token that tells its receiver of a transfer lets it try then too: that is also a call.
contract Reentrant {
    address private _executor;
    bytes private _callback;
    address private _tokenOut;
    uint256 private _answer;
    bool private _inside;
    uint256 public attempts;
    bool public succeeded;

    function set(address executor, bytes calldata callback, address tokenOut, uint256 answer) external {
        (_executor, _callback, _tokenOut, _answer) = (executor, callback, tokenOut, answer);
    }

    function getVault() external view returns (address) {
        return address(this);
    }

    receive() external payable {}

    /// Makes the one callback that is due, and pays.
    function unlock(bytes calldata) external {
        _serve();
    }

    function swap(address, bool, int256, uint160, bytes calldata) external {
        _serve();
    }

    /// Every other call is made by the executor, or by its token, during the callback.
    fallback() external payable {
        if (!_inside) {
            _inside = true;
            attempts++;
            (bool ok,) = _executor.call(_callback);
            if (ok) succeeded = true;
            _inside = false;
        }
        uint256 word = _answer;
        assembly {
            for { let at := 0 } lt(at, 96) { at := add(at, 32) } { mstore(at, word) }
            return(0, 96)
        }
    }

    function _serve() private {
        (bool ok,) = _executor.call(_callback);
        require(ok, "refused");
        TestToken(_tokenOut).transfer(msg.sender, 7);
    }
}
