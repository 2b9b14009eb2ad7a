// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Refuses the native token.
contract Refuser {}

/// @title Forwards its whole native balance whenever it receives more.
contract Forwarder {
    address private immutable _to;

    constructor(address to) {
        _to = to;
    }

    receive() external payable {
        (bool ok,) = _to.call{value: address(this).balance}("");
        require(ok);
    }
}

/// @title Makes a configured call when it is paid, and records the result.
contract Caller {
    address internal _target;
    bytes internal _data;
    bool public called;
    bool public succeeded;
    bytes public reason;

    function setCall(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    receive() external payable {
        if (_target == address(0)) return;
        called = true;
        (succeeded, reason) = _target.call(_data);
    }
}
