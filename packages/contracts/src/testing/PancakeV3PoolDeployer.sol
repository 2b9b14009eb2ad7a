// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Deploys PancakeSwap V3 pools from the creation code its authors publish, for test chains only.
/// @dev Their own deployer is not published in that form. The code is kept as a contract's code.
contract PancakeV3PoolDeployer {
    /// @notice No pool came of the creation code.
    error NotDeployed();

    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    /// @notice What the pool being created reads in its constructor.
    Parameters public parameters;
    address private immutable _code;

    constructor(bytes memory poolCode) {
        // Runs as: copy all that follows these 11 bytes into memory, and return it.
        _code = _create(bytes.concat(hex"600b5981380380925939f3", poolCode), 0);
    }

    /// @notice Called by the factory, which has sorted and checked all of it.
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
