// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";
import {SovereignPoolSwapParams} from "../swaps/Stex.sol";

/// @title A registry of doubles of Valantis Stake Exchange pools. For tests only: anyone may call it.
/// @dev Written by us from the formulas in packages/core. The modules are separate contracts as on
/// chain, so that a swap makes the same number of calls.
contract StexFactoryDouble {
    address[] private _stexes;

    function create(address token0, address token1, bool isStepwise) external returns (address stex) {
        address feeModule = isStepwise ? address(new StepsFeeDouble()) : address(new RatioFeeDouble());
        stex = address(new StexDouble(token0, token1, feeModule));
        _stexes.push(stex);
    }

    function getStexes() external view returns (address[] memory) {
        return _stexes;
    }
}

/// @title The withdrawal module: staking rate, amounts being unstaked, owed and lent. For tests only.
contract WithdrawalDouble {
    StakingDouble public immutable staking = new StakingDouble();
    LendingDouble public immutable lending = new LendingDouble();
    uint256 public amountToken0PendingUnstaking;
    uint256 public amountToken1PendingLPWithdrawal;

    function set(uint256 rate, uint256 unstaking, uint256 leaving, uint256 lent) external {
        staking.setRate(rate);
        lending.setBalance(lent);
        (amountToken0PendingUnstaking, amountToken1PendingLPWithdrawal) = (unstaking, leaving);
    }

    function amountToken1LendingPool() external view returns (uint256) {
        return lending.assetBalance();
    }

    function convertToToken0(uint256 amount) external view returns (uint256) {
        return amount * 1e18 / staking.rate();
    }

    function convertToToken1(uint256 amount) external view returns (uint256) {
        return amount * staking.rate() / 1e18;
    }
}

/// @title The staking contract, which reports the rate of the staked token. For tests only.
contract StakingDouble {
    uint256 public rate = 1e18;

    function setRate(uint256 rate_) external {
        rate = rate_;
    }
}

/// @title The lending pool for idle tokens. For tests only.
contract LendingDouble {
    uint256 public assetBalance;

    function setBalance(uint256 assetBalance_) external {
        assetBalance = assetBalance_;
    }
}

struct SwapFeeModuleData {
    uint256 feeInBips;
    bytes internalContext;
}

/// @title Common base of the two fee modules. For tests only.
abstract contract FeeDouble {
    SovereignPoolDouble public pool;

    function setPool(SovereignPoolDouble pool_) external {
        pool = pool_;
    }

    function getSwapFeeInBips(address tokenIn, address, uint256 amountIn, address, bytes calldata)
        external
        view
        returns (SwapFeeModuleData memory data)
    {
        if (tokenIn != pool.token0()) return data;
        WithdrawalDouble withdrawal = WithdrawalDouble(StexDouble(pool.alm()).withdrawalModule());
        // Converts a fee on the input into a fee on top of the amount that is swapped.
        data.feeInBips = 1e8 / (1e4 - _feeOf(withdrawal, amountIn)) - 1e4;
    }

    function _feeOf(WithdrawalDouble withdrawal, uint256 amountIn) internal view virtual returns (uint256);
}

/// @title A fee that is linear in the ratio of staked to unstaked tokens. For tests only.
contract RatioFeeDouble is FeeDouble {
    struct FeeParams {
        uint32 minThresholdRatioBips;
        uint32 maxThresholdRatioBips;
        uint32 feeMinBips;
        uint32 feeMaxBips;
    }

    FeeParams public feeParams = FeeParams(0, 1, 0, 0);

    error NothingUnstaked();

    function setFee(FeeParams calldata feeParams_) external {
        feeParams = feeParams_;
    }

    function _feeOf(WithdrawalDouble withdrawal, uint256 amountIn) internal view override returns (uint256) {
        (uint256 staked, uint256 unstaked) = pool.getReserves();
        staked = staked + withdrawal.amountToken0PendingUnstaking() + amountIn;
        staked -= withdrawal.convertToToken0(withdrawal.amountToken1PendingLPWithdrawal());
        unstaked += withdrawal.amountToken1LendingPool();
        if (unstaked == 0) revert NothingUnstaked();
        FeeParams memory p = feeParams;
        uint256 ratio = staked * 1e4 / unstaked;
        if (ratio < p.minThresholdRatioBips) return p.feeMinBips;
        if (ratio > p.maxThresholdRatioBips) return p.feeMaxBips;
        uint256 rise = p.feeMaxBips - p.feeMinBips;
        return p.feeMinBips
            + rise * (ratio - p.minThresholdRatioBips) / (p.maxThresholdRatioBips - p.minThresholdRatioBips);
    }
}

/// @title A fee from a table, chosen by the amount of token 1 left after the swap. For tests only.
contract StepsFeeDouble is FeeDouble {
    uint256 public minThresholdToken1;
    uint256 public maxThresholdToken1;
    uint32[] private _steps;

    function setFee(uint256 min, uint256 max, uint32[] calldata steps) external {
        (minThresholdToken1, maxThresholdToken1, _steps) = (min, max, steps);
    }

    function getToken0FeeInBips() external view returns (uint32[] memory) {
        return _steps;
    }

    function _feeOf(WithdrawalDouble withdrawal, uint256 amountIn) internal view override returns (uint256) {
        (, uint256 left) = pool.getReserves();
        left += withdrawal.amountToken1LendingPool();
        uint256 paid = withdrawal.convertToToken1(amountIn);
        left = left > paid ? left - paid : 0;
        (uint256 max, uint256 count) = (maxThresholdToken1, _steps.length);
        if (left > max) return _steps[0];
        uint256 step = (max - left) * count / (max - minThresholdToken1);
        return _steps[step < count ? step : count - 1];
    }
}

struct ALMLiquidityQuoteInput {
    bool isZeroToOne;
    uint256 amountInMinusFee;
    uint256 feeInBips;
    address sender;
    address recipient;
    address tokenOutSwap;
}

struct ALMLiquidityQuote {
    bool isCallbackOnSwap;
    uint256 amountOut;
    uint256 amountInFilled;
}

/// @title The liquidity module, which manages the pool and gets its part of the fees. For tests only.
contract StexDouble {
    SovereignPoolDouble public immutable pool;
    address public withdrawalModule = address(new WithdrawalDouble());
    bool public paused;

    error Paused();

    constructor(address token0, address token1, address feeModule) {
        pool = new SovereignPoolDouble(token0, token1, feeModule);
        FeeDouble(feeModule).setPool(pool);
    }

    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function setWithdrawalModule(address withdrawalModule_) external {
        withdrawalModule = withdrawalModule_;
    }

    function getLiquidityQuote(ALMLiquidityQuoteInput calldata input, bytes calldata, bytes calldata)
        external
        view
        returns (ALMLiquidityQuote memory quote)
    {
        if (paused) revert Paused();
        WithdrawalDouble withdrawal = WithdrawalDouble(withdrawalModule);
        quote.amountInFilled = input.amountInMinusFee;
        quote.amountOut = input.isZeroToOne
            ? withdrawal.convertToToken1(input.amountInMinusFee)
            : withdrawal.convertToToken0(input.amountInMinusFee);
    }
}

/// @title A sovereign pool whose reserves are its balances. For tests only.
contract SovereignPoolDouble {
    event Swap(address indexed sender, bool isZeroToOne, uint256 amountIn, uint256 fee, uint256 amountOut);

    address public immutable token0;
    address public immutable token1;
    address public immutable alm;
    address public immutable sovereignVault;
    address public swapFeeModule;
    address public verifierModule;
    address public sovereignOracleModule;
    uint256 public poolManagerFeeBips;
    uint256 public token0AbsErrorTolerance;

    error Expired();
    error OnlyWithoutCallback();
    error WrongTokenOut(address token);
    error NotVerified(address sender);
    error InvalidQuote(uint256 amountOut);
    error NothingSwapped();

    constructor(address token0_, address token1_, address swapFeeModule_) {
        (token0, token1, swapFeeModule) = (token0_, token1_, swapFeeModule_);
        (alm, sovereignVault) = (msg.sender, address(this));
    }

    function setPoolManagerFeeBips(uint256 bips) external {
        poolManagerFeeBips = bips;
    }

    function setModules(address feeModule, address verifier, address oracle) external {
        (swapFeeModule, verifierModule, sovereignOracleModule) = (feeModule, verifier, oracle);
    }

    function getReserves() public view returns (uint256, uint256) {
        return (Tokens.balanceOf(token0, address(this)), Tokens.balanceOf(token1, address(this)));
    }

    function swap(SovereignPoolSwapParams calldata params) external returns (uint256, uint256 amountOut) {
        if (block.timestamp > params.deadline) revert Expired();
        if (params.isSwapCallback) revert OnlyWithoutCallback();
        if (verifierModule != address(0)) revert NotVerified(msg.sender);
        bool isZeroToOne = params.isZeroToOne;
        (address tokenIn, address tokenOut) = isZeroToOne ? (token0, token1) : (token1, token0);
        if (params.swapTokenOut != tokenOut) revert WrongTokenOut(params.swapTokenOut);
        uint256 fee;
        (amountOut, fee) = _quote(params, tokenIn, tokenOut);
        Tokens.pullFromSender(tokenIn, address(this), params.amountIn);
        uint256 managers = fee * poolManagerFeeBips / 1e4;
        if (managers != 0) Tokens.transfer(tokenIn, alm, managers);
        Tokens.transfer(tokenOut, params.recipient, amountOut);
        emit Swap(msg.sender, isZeroToOne, params.amountIn, fee, amountOut);
        return (params.amountIn, amountOut);
    }

    function _quote(SovereignPoolSwapParams calldata params, address tokenIn, address tokenOut)
        private
        view
        returns (uint256 amountOut, uint256 fee)
    {
        uint256 bips = FeeDouble(swapFeeModule)
            .getSwapFeeInBips(tokenIn, tokenOut, params.amountIn, msg.sender, "")
            .feeInBips;
        uint256 net = params.amountIn * 1e4 / (1e4 + bips);
        ALMLiquidityQuoteInput memory input =
            ALMLiquidityQuoteInput(params.isZeroToOne, net, bips, msg.sender, params.recipient, tokenOut);
        amountOut = StexDouble(alm).getLiquidityQuote(input, "", "").amountOut;
        if (amountOut < params.amountOutMin || amountOut > Tokens.balanceOf(tokenOut, address(this))) {
            revert InvalidQuote(amountOut);
        }
        if (amountOut == 0 || net == 0) revert NothingSwapped();
        fee = params.amountIn - net;
    }
}
