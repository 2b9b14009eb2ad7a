// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A proxy of EIP-1967 that anybody can upgrade. For tests only.
contract ProxyDouble {
    event Upgraded(address indexed implementation);

    // keccak256("eip1967.proxy.implementation") - 1
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    function upgradeTo(address implementation) external {
        assembly {
            sstore(SLOT, implementation)
        }
        emit Upgraded(implementation);
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let isDone := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if isDone { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}
