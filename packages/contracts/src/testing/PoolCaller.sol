// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Mints, burns and swaps in Uniswap V3 style pools for accounts that approve it. For tests only.
/// @dev Pays in the callback, under each name that the forks use. Owns the positions that it mints;
/// anyone may burn them.
contract PoolCaller {
    /// @notice Mints a position in the pool, paid by the caller.
    function mint(address pool, int24 tickLower, int24 tickUpper, uint128 liquidity) external {
        IPool(pool).mint(address(this), tickLower, tickUpper, liquidity, abi.encode(msg.sender));
    }

    /// @notice The same for an Algebra pool, whose `mint` also takes the account that gets the excess back.
    function mintAlgebra(address pool, int24 tickLower, int24 tickUpper, uint128 liquidity) external {
        bytes memory payer = abi.encode(msg.sender);
        IAlgebraPool(pool).mint(msg.sender, address(this), tickLower, tickUpper, liquidity, payer);
    }

    /// @notice Burns liquidity of a position and pays all that the position is owed to the caller.
    function burn(address pool, int24 tickLower, int24 tickUpper, uint128 liquidity) external {
        IPool(pool).burn(tickLower, tickUpper, liquidity);
        uint128 all = type(uint128).max;
        IPool(pool).collect(msg.sender, tickLower, tickUpper, all, all);
    }

    /// @notice Sells up to `amountIn` to the pool; the caller pays and gets the output.
    function swap(address pool, bool zeroForOne, uint256 amountIn)
        external
        returns (int256 amount0, int256 amount1)
    {
        uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        return IPool(pool).swap(msg.sender, zeroForOne, int256(amountIn), limit, abi.encode(msg.sender));
    }

    function pancakeV3SwapCallback(int256 owed0, int256 owed1, bytes calldata data) external {
        _pay(owed0, owed1, data);
    }

    function uniswapV3SwapCallback(int256 owed0, int256 owed1, bytes calldata data) external {
        _pay(owed0, owed1, data);
    }

    function algebraSwapCallback(int256 owed0, int256 owed1, bytes calldata data) external {
        _pay(owed0, owed1, data);
    }

    function pancakeV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata data) external {
        _pay(int256(owed0), int256(owed1), data);
    }

    function uniswapV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata data) external {
        _pay(int256(owed0), int256(owed1), data);
    }

    function algebraMintCallback(uint256 owed0, uint256 owed1, bytes calldata data) external {
        _pay(int256(owed0), int256(owed1), data);
    }

    function _pay(int256 owed0, int256 owed1, bytes calldata data) private {
        address payer = abi.decode(data, (address));
        if (owed0 > 0) IToken(IPool(msg.sender).token0()).transferFrom(payer, msg.sender, uint256(owed0));
        if (owed1 > 0) IToken(IPool(msg.sender).token1()).transferFrom(payer, msg.sender, uint256(owed1));
    }
}

interface IPool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function mint(address to, int24 lower, int24 upper, uint128 amount, bytes calldata data) external;
    function burn(int24 lower, int24 upper, uint128 amount) external;
    function collect(address to, int24 lower, int24 upper, uint128 most0, uint128 most1) external;
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

interface IAlgebraPool {
    function mint(address payer, address to, int24 lower, int24 upper, uint128 amount, bytes calldata data)
        external;
}

interface IToken {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
