// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../libraries/Tokens.sol";

/// @dev Settings of the fee, in the order in which a pair reports them.
struct StaticFee {
    uint16 baseFactor;
    uint16 filterPeriod;
    uint16 decayPeriod;
    uint16 reductionFactor;
    uint24 variableFeeControl;
    uint16 protocolShare;
    uint24 maxVolatilityAccumulator;
}

/// @dev What the fee remembers of earlier swaps, in the order in which a pair reports it.
struct VariableFee {
    uint24 volatilityAccumulator;
    uint24 volatilityReference;
    uint24 idReference;
    uint40 timeOfLastUpdate;
}

/// @title A registry of doubles of Liquidity Book pairs. For tests only: anyone may call every function.
/// @dev Written by us from the formulas in packages/core.
contract LiquidityBookFactoryDouble {
    address[] private _pairs;

    event LBPairCreated(
        address indexed tokenX, address indexed tokenY, uint256 indexed binStep, address pair, uint256 pid
    );

    function create(address tokenX, address tokenY, uint16 binStep, uint24 activeId, StaticFee calldata fee)
        external
        returns (address pair)
    {
        pair = address(new LiquidityBookDouble(tokenX, tokenY, binStep, activeId, fee));
        emit LBPairCreated(tokenX, tokenY, binStep, pair, _pairs.length);
        _pairs.push(pair);
    }

    function getNumberOfLBPairs() external view returns (uint256) {
        return _pairs.length;
    }

    function getLBPairAtIndex(uint256 index) external view returns (address) {
        return _pairs[index];
    }
}

/// @title A pair of Liquidity Book 2.1 and 2.2 without an oracle and without LB tokens. For tests only.
contract LiquidityBookDouble {
    uint256 private constant ONE = 1 << 128;
    uint256 private constant FEE_ONE = 1e18;
    uint256 private constant BIPS = 10_000;
    uint256 private constant MIDDLE_ID = 1 << 23;

    address public immutable getTokenX;
    address public immutable getTokenY;
    uint16 public immutable getBinStep;
    uint24 public getActiveId;
    bytes32 public getLBHooksParameters;
    StaticFee public getStaticFeeParameters;
    VariableFee public getVariableFeeParameters;

    struct Bin {
        uint128 x;
        uint128 y;
    }

    mapping(uint24 => Bin) public getBin;
    /// Bit i of word k: whether bin 256·k + i has a reserve; and the same of the words.
    mapping(uint256 => uint256) private _words;
    mapping(uint256 => uint256) private _wordsOfWords;
    /// What the bins have, and the protocol's fees: the rest of the balance has just been received.
    uint256[2] private _counted;

    event Swap(
        address indexed sender,
        address indexed to,
        uint24 id,
        bytes32 amountsIn,
        bytes32 amountsOut,
        uint24 volatilityAccumulator,
        bytes32 totalFees,
        bytes32 protocolFees
    );
    event DepositedToBins(address indexed sender, address indexed to, uint256[] ids, bytes32[] amounts);
    event WithdrawnFromBins(address indexed sender, address indexed to, uint256[] ids, bytes32[] amounts);
    event ForcedDecay(address indexed sender, uint24 idReference, uint24 volatilityReference);
    event StaticFeeParametersSet(
        address indexed sender, uint16, uint16, uint16, uint16, uint24, uint16, uint24
    );
    event HooksParametersSet(address indexed sender, bytes32 hooksParameters);

    error InsufficientAmountIn();
    error InsufficientAmountOut();
    error OutOfLiquidity();
    error TooMuch();
    error FeeTooLarge();

    constructor(address tokenX, address tokenY, uint16 binStep, uint24 activeId, StaticFee memory fee) {
        (getTokenX, getTokenY, getBinStep, getActiveId) = (tokenX, tokenY, binStep, activeId);
        getStaticFeeParameters = fee;
        getVariableFeeParameters.idReference = activeId;
    }

    /// @notice Adds what was sent to bins; the amounts must be there.
    function deposit(uint256[] calldata ids, bytes32[] calldata amounts) external {
        for (uint256 k = 0; k < ids.length; k++) _change(uint24(ids[k]), amounts[k], true);
        emit DepositedToBins(msg.sender, msg.sender, ids, amounts);
    }

    /// @notice Takes reserves out of bins, to nobody: they become the protocol's.
    function withdraw(uint256[] calldata ids, bytes32[] calldata amounts) external {
        for (uint256 k = 0; k < ids.length; k++) _change(uint24(ids[k]), amounts[k], false);
        emit WithdrawnFromBins(msg.sender, msg.sender, ids, amounts);
    }

    function setStaticFee(StaticFee calldata fee) external {
        getStaticFeeParameters = fee;
        emit StaticFeeParametersSet(
            msg.sender,
            fee.baseFactor,
            fee.filterPeriod,
            fee.decayPeriod,
            fee.reductionFactor,
            fee.variableFeeControl,
            fee.protocolShare,
            fee.maxVolatilityAccumulator
        );
    }

    function forceDecay() external {
        VariableFee storage memo = getVariableFeeParameters;
        memo.volatilityReference =
            uint24(uint256(memo.volatilityReference) * getStaticFeeParameters.reductionFactor / BIPS);
        memo.idReference = getActiveId;
        emit ForcedDecay(msg.sender, memo.idReference, memo.volatilityReference);
    }

    function setHooks(bytes32 hooks) external {
        getLBHooksParameters = hooks;
        emit HooksParametersSet(msg.sender, hooks);
    }

    /// @notice The next bin with a reserve, below `id` if `swapForY`, else above it.
    function getNextNonEmptyBin(bool swapForY, uint24 id) public view returns (uint24) {
        return swapForY ? _binBelow(id) : _binAbove(id);
    }

    /// @notice What a swap of `amountIn` now would leave over, pay, and charge.
    function getSwapOut(uint128 amountIn, bool swapForY)
        external
        view
        returns (uint128 left, uint128 amountOut, uint128 fees)
    {
        VariableFee memory memo = _references();
        uint24 id = getActiveId;
        left = amountIn;
        while (true) {
            (uint256 taken, uint256 paid, uint256 fee) = _quote(id, left, swapForY, memo);
            left -= uint128(taken);
            amountOut += uint128(paid);
            fees += uint128(fee);
            if (left == 0) break;
            id = getNextNonEmptyBin(swapForY, id);
            if (id == 0 || id == type(uint24).max) break;
        }
    }

    /// @notice Swaps all that was received since the last swap.
    function swap(bool swapForY, address to) external returns (bytes32 amountsOut) {
        uint256 left = _received(swapForY);
        if (left == 0) revert InsufficientAmountIn();
        VariableFee memory memo = _references();
        uint24 id = getActiveId;
        uint256 amountOut;
        while (true) {
            (uint256 taken, uint256 paid) = _takeFrom(id, left, swapForY, to, memo);
            left -= taken;
            amountOut += paid;
            if (left == 0) break;
            id = getNextNonEmptyBin(swapForY, id);
            if (id == 0 || id == type(uint24).max) revert OutOfLiquidity();
        }
        if (amountOut == 0) revert InsufficientAmountOut();
        (getActiveId, getVariableFeeParameters) = (id, memo);
        _counted[swapForY ? 1 : 0] -= amountOut;
        amountsOut = _packed(amountOut, !swapForY);
        Tokens.transfer(swapForY ? getTokenY : getTokenX, to, amountOut);
    }

    /// @dev Counts the whole balance of the token in.
    function _received(bool swapForY) private returns (uint256 received) {
        uint256 i = swapForY ? 0 : 1;
        uint256 balance = Tokens.balanceOf(swapForY ? getTokenX : getTokenY, address(this));
        if (balance > type(uint128).max) revert TooMuch();
        received = balance - _counted[i];
        _counted[i] = balance;
    }

    /// @dev Performs the part of a swap in one bin and writes its volatility to `memo`.
    function _takeFrom(uint24 id, uint256 left, bool swapForY, address to, VariableFee memory memo)
        private
        returns (uint256 taken, uint256 paid)
    {
        uint256 fee;
        (taken, paid, fee) = _quote(id, left, swapForY, memo);
        if (taken == 0) return (0, 0);
        uint256 protocolFee = fee * getStaticFeeParameters.protocolShare / BIPS;
        Bin storage bin = getBin[id];
        if (swapForY) (bin.x, bin.y) = (bin.x + uint128(taken - protocolFee), bin.y - uint128(paid));
        else (bin.x, bin.y) = (bin.x - uint128(paid), bin.y + uint128(taken - protocolFee));
        bytes32[4] memory packed = [
            _packed(taken - protocolFee, swapForY),
            _packed(paid, !swapForY),
            _packed(fee, swapForY),
            _packed(protocolFee, swapForY)
        ];
        emit Swap(
            msg.sender, to, id, packed[0], packed[1], memo.volatilityAccumulator, packed[2], packed[3]
        );
    }

    /// @dev What bin `id` takes of `left`, pays, and charges of what it takes.
    function _quote(uint24 id, uint256 left, bool swapForY, VariableFee memory memo)
        private
        view
        returns (uint256 taken, uint256 paid, uint256 fee)
    {
        uint256 reserve = swapForY ? getBin[id].y : getBin[id].x;
        if (reserve == 0) return (0, 0, 0);
        uint256 rate = _feeIn(id, memo);
        uint256 price = priceOf(id);
        uint256 net = swapForY ? _ceilDiv(reserve << 128, price) : _mulShift(reserve, price, true);
        fee = _ceilDiv(net * rate, FEE_ONE - rate);
        taken = net + fee;
        if (taken > type(uint128).max) revert TooMuch();
        if (left >= taken) return (taken, reserve, fee);
        fee = _ceilDiv(left * rate, FEE_ONE);
        paid = swapForY ? _mulShift(left - fee, price, false) : ((left - fee) << 128) / price;
        if (paid > reserve) paid = reserve;
        return (left, paid, fee);
    }

    /// @dev The fee in bin `id`, in 1e-18 of the input; writes the bin's volatility to `memo`.
    function _feeIn(uint24 id, VariableFee memory memo) private view returns (uint256 rate) {
        StaticFee memory fee = getStaticFeeParameters;
        uint256 distance = id > memo.idReference ? id - memo.idReference : memo.idReference - id;
        uint256 volatility = memo.volatilityReference + distance * BIPS;
        if (volatility > fee.maxVolatilityAccumulator) volatility = fee.maxVolatilityAccumulator;
        memo.volatilityAccumulator = uint24(volatility);
        rate = uint256(fee.baseFactor) * getBinStep * 1e10;
        if (fee.variableFeeControl != 0) {
            uint256 product = volatility * getBinStep;
            rate += (product * product * fee.variableFeeControl + 99) / 100;
        }
        if (rate > FEE_ONE / 10) revert FeeTooLarge();
    }

    /// @dev The fee's memory at the start of a swap in this block.
    function _references() private view returns (VariableFee memory memo) {
        memo = getVariableFeeParameters;
        StaticFee memory fee = getStaticFeeParameters;
        uint256 passed = block.timestamp - memo.timeOfLastUpdate;
        if (passed >= fee.filterPeriod) {
            memo.idReference = getActiveId;
            memo.volatilityReference = passed < fee.decayPeriod
                ? uint24(uint256(memo.volatilityAccumulator) * fee.reductionFactor / BIPS)
                : 0;
        }
        memo.timeOfLastUpdate = uint40(block.timestamp);
    }

    /// @notice Token Y per token X in a bin, in 128.128 fixed point; each product is floored.
    function priceOf(uint24 id) public view returns (uint256 price) {
        bool isAbove = id > MIDDLE_ID;
        uint256 exponent = isAbove ? id - MIDDLE_ID : MIDDLE_ID - id;
        if (exponent == 0) return ONE;
        if (exponent >= 1 << 20) revert TooMuch();
        uint256 squared = type(uint256).max / (ONE + (uint256(getBinStep) << 128) / BIPS);
        price = ONE;
        for (; exponent > 0; exponent >>= 1) {
            if (exponent & 1 == 1) price = (price * squared) >> 128;
            squared = (squared * squared) >> 128;
        }
        if (price == 0) revert TooMuch();
        if (isAbove) price = type(uint256).max / price;
    }

    /// @dev x·price / 2¹²⁸ for x below 2¹²⁸, by halves of the price, because the product may not fit.
    function _mulShift(uint256 x, uint256 price, bool up) private pure returns (uint256 result) {
        uint256 low = x * (price & (ONE - 1));
        result = x * (price >> 128) + (low >> 128);
        if (up && low & (ONE - 1) != 0) result += 1;
    }

    function _ceilDiv(uint256 a, uint256 b) private pure returns (uint256) {
        return a / b + (a % b == 0 ? 0 : 1);
    }

    function _packed(uint256 amount, bool isX) private pure returns (bytes32) {
        return bytes32(isX ? amount : amount << 128);
    }

    function _change(uint24 id, bytes32 amounts, bool isMore) private {
        (uint128 x, uint128 y) = (uint128(uint256(amounts)), uint128(uint256(amounts) >> 128));
        Bin storage bin = getBin[id];
        if (isMore) {
            (bin.x, bin.y) = (bin.x + x, bin.y + y);
            (_counted[0], _counted[1]) = (_counted[0] + x, _counted[1] + y);
        } else {
            (bin.x, bin.y) = (bin.x - x, bin.y - y);
        }
        uint256 word = id >> 8;
        uint256 bit = 1 << (id & 0xFF);
        _words[word] = bin.x == 0 && bin.y == 0 ? _words[word] & ~bit : _words[word] | bit;
        bit = 1 << (word & 0xFF);
        uint256 words = _wordsOfWords[word >> 8];
        _wordsOfWords[word >> 8] = _words[word] == 0 ? words & ~bit : words | bit;
    }

    function _binBelow(uint256 id) private view returns (uint24) {
        uint256 bits = _words[id >> 8] & ((1 << (id & 0xFF)) - 1);
        if (bits != 0) return uint24((id & ~uint256(0xFF)) | _highest(bits));
        uint256 word = id >> 8;
        bits = _wordsOfWords[word >> 8] & ((1 << (word & 0xFF)) - 1);
        for (uint256 k = word >> 8; bits == 0; bits = _wordsOfWords[--k]) {
            if (k == 0) return 0;
            word = (k << 8) - 1;
        }
        word = (word & ~uint256(0xFF)) | _highest(bits);
        return uint24((word << 8) | _highest(_words[word]));
    }

    function _binAbove(uint256 id) private view returns (uint24) {
        uint256 bits = _above(_words[id >> 8], id & 0xFF);
        if (bits != 0) return uint24((id & ~uint256(0xFF)) | _lowest(bits));
        uint256 word = id >> 8;
        bits = _above(_wordsOfWords[word >> 8], word & 0xFF);
        for (uint256 k = word >> 8; bits == 0; bits = _wordsOfWords[++k]) {
            if (k == 0xFF) return type(uint24).max;
            word = (k + 1) << 8;
        }
        word = (word & ~uint256(0xFF)) | _lowest(bits);
        return uint24((word << 8) | _lowest(_words[word]));
    }

    /// @dev The bits above bit `i`.
    function _above(uint256 bits, uint256 i) private pure returns (uint256) {
        return bits & ~((1 << i) | ((1 << i) - 1));
    }

    function _highest(uint256 bits) private pure returns (uint256 i) {
        for (uint256 step = 128; step > 0; step >>= 1) {
            if (bits >> step != 0) (bits, i) = (bits >> step, i + step);
        }
    }

    function _lowest(uint256 bits) private pure returns (uint256) {
        return _highest(bits & (~bits + 1));
    }
}
