// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Deploys PancakeSwap V3 pools from the creation code that its authors publish. For tests only.
/// @dev Replaces their deployer, whose bytecode they do not publish. Stores the creation code as the
/// code of a contract.
contract PancakeV3PoolDeployer {
    /// @notice The creation code did not create a contract.
    error NotDeployed();

    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    /// @notice Read by the constructor of the pool that is being created.
    Parameters public parameters;
    address private immutable _code;

    constructor(bytes memory poolCode) {
        // These 11 bytes copy all bytes after them into memory and return them.
        _code = _create(bytes.concat(hex"600b5981380380925939f3", poolCode), 0);
    }

    /// @notice Called by the factory, which sorts and checks the arguments.
    function deploy(address factory, address token0, address token1, uint24 fee, int24 tickSpacing)
        external
        returns (address pool)
    {
        parameters = Parameters(factory, token0, token1, fee, tickSpacing);
        pool = _create(_code.code, keccak256(abi.encode(token0, token1, fee)));
        delete parameters;
    }

    function _create(bytes memory code, bytes32 salt) private returns (address created) {
        assembly {
            created := create2(0, add(code, 32), mload(code), salt)
        }
        if (created == address(0)) revert NotDeployed();
    }
}
