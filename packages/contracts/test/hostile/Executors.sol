// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title An executor that answers every call with the same bytes, or reverts with them.
contract Answerer {
    bytes private _answer;
    bool private _reverts;

    constructor(bytes memory answer, bool reverts) {
        (_answer, _reverts) = (answer, reverts);
    }

    fallback() external {
        bytes memory answer = _answer;
        bool reverts = _reverts;
        assembly {
            if reverts { revert(add(answer, 32), mload(answer)) }
            return(add(answer, 32), mload(answer))
        }
    }
}
