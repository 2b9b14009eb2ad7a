// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice One swap that a pool is asked for.
/// @param pool What swaps: a pool with Uniswap V3's `swap`, or a Uniswap V2 pair if there is a lender.
/// @param lender The pool that lends a pair its input; zero for a pool with V3's `swap`.
/// @param isPair True if the lender has V2's `swap`, false for V3's.
/// @param lendsFirst True if the lender lends its first token.
/// @param token The token in.
/// @param zeroForOne True if the pool's first token goes in.
/// @param amountIn In wei.
/// @param amountOut What a pair is asked for, and then for one wei more.
struct Ask {
    address pool;
    address lender;
    bool isPair;
    bool lendsFirst;
    address token;
    bool zeroForOne;
    uint256 amountIn;
    uint256 amountOut;
}

/// @notice What a swap came to.
/// @param isHeard False if nothing is known: the gas did not suffice, or the lender did not lend.
/// @param callback The selector of the callback of a pool with V3's `swap`; zero if it made none.
/// @param amountOut The output of such a pool, 0 if it reverts or does not take the whole input; of a pair, the
/// asked output or one wei more if it pays that, and otherwise 0.
struct Told {
    bool isHeard;
    bytes4 callback;
    uint256 amountOut;
}

/// @title Asks pools what they would pay, in one `eth_call` without a recipient; it is never deployed.
/// @dev Such a call runs creation code and returns what that returns: the block's number, its parent's hash and its
/// time, and the outcome of each swap. It needs no balance and no state override, so that every node can run it.
contract PoolAsker {
    constructor(Ask[] memory asks) {
        Borrower borrower = new Borrower();
        Told[] memory told = new Told[](asks.length);
        for (uint256 i = 0; i < asks.length; i++) {
            // Each swap may use its share of the gas that is left; some remains for returning the answer.
            uint256 shares = asks.length == 1 ? 1 : asks.length - i + asks.length / 6 + 1;
            try borrower.ask{gas: gasleft() / shares}(asks[i]) returns (Told memory one) {
                told[i] = one;
            } catch {}
        }
        bytes memory answer = abi.encode(block.number, blockhash(block.number - 1), block.timestamp, told);
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}

/// @title Swaps without paying: in the callback it reverts with what the pool wants and pays.
/// @dev A pair wants its input before it pays, so another pool lends it, and the callback of the lender is where the
/// pair is paid and asked.
contract Borrower {
    /// @dev What the lender's callback needs, as the last words of its data.
    struct Loan {
        address pair;
        address token;
        bool zeroForOne;
        uint256 amountIn;
        uint256 amountOut;
    }

    uint256 private constant LOAN_BYTES = 160;
    uint256 private constant OUTCOME_BYTES = 96;
    /// @dev The prices at which V3's `swap` ends, one inside the least and the greatest.
    uint160 private constant LEAST_PRICE = 4295128740;
    uint160 private constant GREATEST_PRICE = 1461446703485210103287273052203988822378723970341;
    /// @dev Receives what a pair pays; a pair refuses its own tokens.
    address private constant NOBODY = address(0xb4a1d01);

    function ask(Ask calldata one) external returns (Told memory) {
        return one.lender == address(0) ? _askPool(one) : _askPair(one);
    }

    function _askPool(Ask calldata one) private returns (Told memory) {
        (bool isDone, bytes memory outcome) =
            one.pool.call(_rangedSwap(one.zeroForOne, int256(one.amountIn), ""));
        // Without a word the gas may have run out. Any other size is the pool's own refusal.
        if (isDone || outcome.length != OUTCOME_BYTES) return Told(isDone || outcome.length > 0, 0, 0);
        (bytes4 callback, int256 owed0, int256 owed1) = abi.decode(outcome, (bytes4, int256, int256));
        (int256 owed, int256 paid) = one.zeroForOne ? (owed0, owed1) : (owed1, owed0);
        bool isWhole = owed == int256(one.amountIn) && paid < 0;
        return Told(true, callback, isWhole ? uint256(-paid) : 0);
    }

    function _askPair(Ask calldata one) private returns (Told memory) {
        bytes memory loan =
            abi.encode(Loan(one.pool, one.token, one.zeroForOne, one.amountIn, one.amountOut));
        bytes memory swap = one.isPair
            ? _pairSwap(one.lendsFirst, one.amountIn, address(this), loan)
            : _rangedSwap(!one.lendsFirst, -int256(one.amountIn), loan);
        (bool isDone, bytes memory outcome) = one.lender.call(swap);
        if (isDone || outcome.length != OUTCOME_BYTES) return Told(false, 0, 0);
        (bool isPaid, bool isExact, bool isMore) = abi.decode(outcome, (bool, bool, bool));
        return Told(isPaid, 0, isMore ? one.amountOut + 1 : isExact ? one.amountOut : 0);
    }

    /// @dev A callback, of any name.
    fallback() external {
        // V3's callbacks have a selector and four words before the data, V2's one word more.
        if (msg.data.length < 132 + LOAN_BYTES) {
            (int256 owed0, int256 owed1) = abi.decode(msg.data[4:68], (int256, int256));
            _revertWith(abi.encode(msg.sig, owed0, owed1));
        }
        Loan memory loan = abi.decode(msg.data[msg.data.length - LOAN_BYTES:], (Loan));
        bool isPaid =
            _call(loan.token, abi.encodeCall(IToken.transfer, (loan.pair, loan.amountIn)));
        bool isMore = _call(loan.pair, _pairSwap(!loan.zeroForOne, loan.amountOut + 1, NOBODY, ""));
        bool isExact = _call(loan.pair, _pairSwap(!loan.zeroForOne, loan.amountOut, NOBODY, ""));
        _revertWith(abi.encode(isPaid, isExact, isMore));
    }

    function _call(address to, bytes memory data) private returns (bool isDone) {
        (isDone,) = to.call(data);
    }

    function _revertWith(bytes memory outcome) private pure {
        assembly {
            revert(add(outcome, 32), mload(outcome))
        }
    }

    function _rangedSwap(bool zeroForOne, int256 amount, bytes memory data) private view returns (bytes memory) {
        uint160 end = zeroForOne ? LEAST_PRICE : GREATEST_PRICE;
        return abi.encodeCall(IRanged.swap, (address(this), zeroForOne, amount, end, data));
    }

    function _pairSwap(bool isFirst, uint256 amount, address to, bytes memory data)
        private
        pure
        returns (bytes memory)
    {
        (uint256 out0, uint256 out1) = isFirst ? (amount, uint256(0)) : (uint256(0), amount);
        return abi.encodeCall(IPair.swap, (out0, out1, to, data));
    }
}

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
}

interface IPair {
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
}

interface IRanged {
    function swap(address to, bool zeroForOne, int256 amount, uint160 end, bytes calldata data)
        external
        returns (int256, int256);
}
