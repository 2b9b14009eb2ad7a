// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A token that returns fixed bytes for every call, or reverts with them.
contract GarbageToken {
    bytes private _answer;
    bool private immutable _refuses;

    constructor(bytes memory answer, bool refuses) {
        (_answer, _refuses) = (answer, refuses);
    }

    fallback() external {
        bytes memory answer = _answer;
        if (_refuses) {
            assembly { revert(add(answer, 32), mload(answer)) }
        }
        assembly { return(add(answer, 32), mload(answer)) }
    }
}

/// @title Returns a million bytes, or reverts with them, so that a caller who copies them pays for memory.
contract Bomb {
    uint256 public constant SIZE = 1_000_000;
    bool private immutable _refuses;

    constructor(bool refuses) {
        _refuses = refuses;
    }

    fallback() external {
        uint256 size = SIZE;
        bool refuses = _refuses;
        assembly {
            mstore(0, 1)
            if refuses { revert(0, size) }
            return(0, size)
        }
    }
}
