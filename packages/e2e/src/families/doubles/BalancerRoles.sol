// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title What stands around Balancer's vault in tests: an authorizer, a rate provider and a trader.

struct TokenConfig {
    address token;
    uint8 tokenType;
    address rateProvider;
    bool paysYieldFees;
}

struct PoolRoleAccounts {
    address pauseManager;
    address swapFeeManager;
    address poolCreator;
}

struct LiquidityManagement {
    bool disableUnbalancedLiquidity;
    bool enableAddLiquidityCustom;
    bool enableRemoveLiquidityCustom;
    bool enableDonation;
}

struct SwapParams {
    uint8 kind;
    address pool;
    address tokenIn;
    address tokenOut;
    uint256 amountGivenRaw;
    uint256 limitRaw;
    bytes userData;
}

struct AddLiquidityParams {
    address pool;
    address to;
    uint256[] maxAmountsIn;
    uint256 minBptAmountOut;
    uint8 kind;
    bytes userData;
}

struct WrapParams {
    uint8 kind;
    uint8 direction;
    address wrapped;
    uint256 amountGivenRaw;
    uint256 limitRaw;
}

interface IVault {
    function erc4626BufferWrapOrUnwrap(WrapParams calldata params) external returns (uint256, uint256, uint256);
    function initializeBuffer(
        address wrapped,
        uint256 assets,
        uint256 shares,
        uint256 least,
        address owner
    ) external returns (uint256);
    function unlock(bytes calldata data) external returns (bytes memory);
    function settle(address token, uint256 hint) external returns (uint256);
    function sendTo(address token, address to, uint256 amount) external;
    function swap(SwapParams calldata params) external returns (uint256, uint256, uint256);
    function addLiquidity(AddLiquidityParams calldata params)
        external
        returns (uint256[] memory, uint256, bytes memory);
    function initialize(
        address pool,
        address to,
        address[] calldata tokens,
        uint256[] calldata amounts,
        uint256 least,
        bytes calldata data
    ) external returns (uint256);
    function registerPool(
        address pool,
        TokenConfig[] calldata tokens,
        uint256 swapFee,
        uint32 pauseWindowEndTime,
        bool protocolFeeExempt,
        PoolRoleAccounts calldata roles,
        address hooks,
        LiquidityManagement calldata liquidity
    ) external;
    function getPoolTokens(address pool) external view returns (address[] memory);
}

interface IToken {
    function asset() external view returns (address);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// @notice Lets everybody do everything.
contract BalancerAuthorizer {
    function canPerform(bytes32, address, address) external pure returns (bool) {
        return true;
    }
}

/// @notice A rate that anybody sets.
contract BalancerRate {
    uint256 public getRate = 1e18;

    function setRate(uint256 rate) external {
        getRate = rate;
    }
}

/// @notice Registers, fills and trades pools of the vault, with the tokens of its caller.
contract BalancerTrader {
    IVault private immutable vault;

    constructor(IVault vault_) {
        vault = vault_;
    }

    /// @notice Registers and fills a pool; `rates` has 0 for a token without a rate provider.
    function create(address pool, address[] calldata tokens, address[] calldata rates, uint256 fee, uint256[] calldata amounts)
        external
    {
        TokenConfig[] memory config = new TokenConfig[](tokens.length);
        for (uint256 i = 0; i < tokens.length; i++) {
            bool hasRate = rates[i] != address(0);
            config[i] = TokenConfig(tokens[i], hasRate ? 1 : 0, rates[i], hasRate);
        }
        PoolRoleAccounts memory roles;
        LiquidityManagement memory liquidity;
        vault.registerPool(pool, config, fee, 0, false, roles, address(0), liquidity);
        vault.unlock(abi.encodeCall(this.onCreate, (pool, msg.sender, tokens, amounts)));
    }

    function onCreate(address pool, address payer, address[] calldata tokens, uint256[] calldata amounts) external {
        vault.initialize(pool, payer, tokens, amounts, 0, "");
        for (uint256 i = 0; i < tokens.length; i++) pay(tokens[i], payer, amounts[i]);
    }

    /// @notice Adds these amounts, in any proportion.
    function add(address pool, uint256[] calldata amounts) external {
        vault.unlock(abi.encodeCall(this.onAdd, (pool, msg.sender, amounts)));
    }

    function onAdd(address pool, address payer, uint256[] calldata amounts) external {
        vault.addLiquidity(AddLiquidityParams(pool, payer, amounts, 0, 1, ""));
        address[] memory tokens = vault.getPoolTokens(pool);
        for (uint256 i = 0; i < tokens.length; i++) {
            if (amounts[i] != 0) pay(tokens[i], payer, amounts[i]);
        }
    }

    function swap(address pool, address tokenIn, address tokenOut, uint256 amountIn)
        external
        returns (uint256 amountOut)
    {
        bytes memory data = abi.encodeCall(this.onSwap, (pool, msg.sender, tokenIn, tokenOut, amountIn));
        return abi.decode(vault.unlock(data), (uint256));
    }

    function onSwap(address pool, address payer, address tokenIn, address tokenOut, uint256 amountIn)
        external
        returns (uint256 amountOut)
    {
        (,, amountOut) = vault.swap(SwapParams(0, pool, tokenIn, tokenOut, amountIn, 0, ""));
        pay(tokenIn, payer, amountIn);
        vault.sendTo(tokenOut, payer, amountOut);
    }

    /// @notice Creates the buffer of a wrapped token with these amounts.
    function createBuffer(address wrapped, uint256 assets, uint256 shares) external {
        vault.unlock(abi.encodeCall(this.onCreateBuffer, (wrapped, msg.sender, assets, shares)));
    }

    function onCreateBuffer(address wrapped, address payer, uint256 assets, uint256 shares) external {
        vault.initializeBuffer(wrapped, assets, shares, 0, payer);
        pay(IToken(wrapped).asset(), payer, assets);
        pay(wrapped, payer, shares);
    }

    /// @notice Wraps or unwraps through a buffer.
    function convert(address wrapped, bool isWrap, uint256 amountIn) external returns (uint256 amountOut) {
        bytes memory data = abi.encodeCall(this.onConvert, (wrapped, msg.sender, isWrap, amountIn));
        return abi.decode(vault.unlock(data), (uint256));
    }

    function onConvert(address wrapped, address payer, bool isWrap, uint256 amountIn)
        external
        returns (uint256 amountOut)
    {
        address asset = IToken(wrapped).asset();
        (,, amountOut) = vault.erc4626BufferWrapOrUnwrap(WrapParams(0, isWrap ? 0 : 1, wrapped, amountIn, 0));
        pay(isWrap ? asset : wrapped, payer, amountIn);
        vault.sendTo(isWrap ? wrapped : asset, payer, amountOut);
    }

    function pay(address token, address payer, uint256 amount) private {
        IToken(token).transferFrom(payer, address(vault), amount);
        vault.settle(token, amount);
    }
}
