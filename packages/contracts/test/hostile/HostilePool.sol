// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A pool of any interface that executes configured calls.
/// @dev On an unknown function it executes the calls and returns `answer` in every word.
contract HostilePool {
    struct Act {
        address target;
        bytes data;
    }

    Act[] internal _acts;
    bool[] public succeeded;
    bytes[] public reasons;
    uint112 public reserve0 = 1e24;
    uint112 public reserve1 = 1e24;
    uint256 public answer = 1;

    /// In a static call, the configured calls fail and `answer` is still returned.
    fallback() external {
        try this.play() {} catch {}
        uint256 word = answer;
        assembly {
            for { let at := 0 } lt(at, 256) { at := add(at, 32) } { mstore(at, word) }
            return(0, 256)
        }
    }

    function play() external {
        require(msg.sender == address(this), "not for others");
        _play();
    }

    function setAnswer(uint256 answer_) external {
        answer = answer_;
    }

    function add(address target, bytes memory data) external {
        _acts.push(Act(target, data));
    }

    function clear() external {
        delete _acts;
        delete succeeded;
        delete reasons;
    }

    function setReserves(uint112 reserve0_, uint112 reserve1_) external {
        (reserve0, reserve1) = (reserve0_, reserve1_);
    }

    function played() external view returns (uint256) {
        return succeeded.length;
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, 0);
    }

    function swap(uint256, uint256, address, bytes calldata) external {
        _play();
    }

    function swap(address, bool, int256, uint160, bytes calldata) external returns (int256, int256) {
        _play();
        return (0, 0);
    }

    function _play() private {
        for (uint256 i = 0; i < _acts.length; i++) {
            (bool ok, bytes memory reason) = _acts[i].target.call(_acts[i].data);
            succeeded.push(ok);
            reasons.push(reason);
        }
    }
}

/// @title Forwards a call, so that its sender is another address.
contract Accomplice {
    function forward(address target, bytes calldata data) external {
        (bool ok, bytes memory reason) = target.call(data);
        if (!ok) {
            assembly {
                revert(add(reason, 32), mload(reason))
            }
        }
    }
}
