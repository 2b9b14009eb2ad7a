// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Tokens} from "../../src/libraries/Tokens.sol";
import {UniswapV2} from "../../src/swaps/UniswapV2.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {IV2Pair} from "../base/Amm.sol";
import {Base} from "../base/Base.sol";
import {ForkPair} from "../base/ForkPair.sol";
import {Program} from "../base/Program.sol";
import {HostilePool} from "../hostile/HostilePool.sol";
import {Oddity, WeirdToken} from "../hostile/WeirdToken.sol";

/// @title The V2 hop against real pairs, and against contracts that pretend to be pairs.
contract UniswapV2Test is Base {
    HostilePool internal hostile;

    function setUp() public override {
        super.setUp();
        hostile = new HostilePool();
        fund(alice, a, 1e30);
        fund(alice, b, 1e30);
    }

    function hop(address pool, bool zeroForOne, uint24 feePpm) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), Program.v2(0, 1, 0, pool, zeroForOne, feePpm));
    }

    /// Pays by the formula, to the wei, for any reserves and amount, in both directions.
    function testFuzz_paysTheFormula(uint112 reserveA, uint112 reserveB, uint256 amountIn, bool reverse)
        public
    {
        address x = address(new WeirdToken(Oddity.None));
        uint256 inA = bound(reserveA, 1e6, type(uint112).max / 2);
        uint256 inX = bound(reserveB, 1e6, type(uint112).max / 2);
        address pair = createV2(a, inA, x, inX);
        (address from, address to) = reverse ? (x, a) : (a, x);
        amountIn = bound(amountIn, 1, type(uint112).max / 2);
        fund(alice, from, amountIn);
        uint256 expected = quoteV2(pair, from, amountIn);
        bytes memory program = hop(pair, isZero(pair, from), 3000);
        if (expected == 0) vm.expectRevert(bytes("UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT"));
        uint256 amountOut = swap(from, amountIn, to, program);
        if (expected != 0) assertEq(amountOut, expected);
    }

    /// Ppm expresses every fork's fee exactly, so the hop requests the largest output that the pair pays.
    function testFuzz_paysTheMostOfAnyFee(
        uint256 fee,
        uint256 unit,
        uint112 reserveA,
        uint112 reserveB,
        uint256 amountIn
    ) public {
        uint256 denominator = 10 ** bound(unit, 3, 6);
        fee = bound(fee, 0, denominator / 10);
        ForkPair pair = new ForkPair(a, b, fee, denominator);
        give(a, address(pair), bound(reserveA, 1e6, 1e30));
        give(b, address(pair), bound(reserveB, 1e6, 1e30));
        pair.sync();
        amountIn = bound(amountIn, 1e3, 1e29);
        bool z = isZero(address(pair), a);
        uint24 feePpm = uint24(fee * 1_000_000 / denominator);
        (uint256 x, uint256 y) = (balance(a, address(pair)), balance(b, address(pair)));
        uint256 taken = amountIn * (denominator - fee);
        uint256 most = taken * y / (x * denominator + taken);
        vm.assume(most > 0);
        uint256 id = vm.snapshotState();
        give(a, address(pair), amountIn);
        vm.expectRevert(bytes("K"));
        pair.swap(z ? 0 : most + 1, z ? most + 1 : 0, bob, "");
        vm.revertToState(id);
        assertEq(swap(a, amountIn, b, hop(address(pair), z, feePpm)), most);
    }

    /// With a fee below the pair's, the hop requests too much and the pair reverts; a fee above is a gift.
    function test_feeIsTheProgramsAffair() public {
        bool z = isZero(pairAB, a);
        vm.expectRevert(bytes("UniswapV2: K"));
        swap(a, 1e18, b, hop(pairAB, z, 2990));
        uint256 id = vm.snapshotState();
        uint256 fair = swap(a, 1e18, b, hop(pairAB, z, 3000));
        vm.revertToState(id);
        assertLt(swap(a, 1e18, b, hop(pairAB, z, 10_000)), fair);
    }

    function testFuzz_refusesFeesOfAllOrMore(uint24 feePpm) public {
        feePpm = uint24(bound(feePpm, 1_000_000, type(uint24).max));
        bytes memory program = hop(pairAB, true, feePpm);
        vm.expectRevert(abi.encodeWithSelector(UniswapV2.FeeTooHigh.selector, feePpm));
        swap(a, 1e18, b, program);
    }

    /// With the wrong direction, the hop requests the token that the pair has just received.
    function test_wrongDirectionIsRefused() public {
        bytes memory program = hop(pairAB, !isZero(pairAB, a), 3000);
        vm.expectRevert();
        swap(a, 1e18, b, program);
        assertEq(balance(a, alice), 1e30);
    }

    /// An unsynced gift to the pair is not paid out, because the hop uses the reserves.
    function test_giftToThePairChangesNothing() public {
        uint256 expected = quoteV2(pairAB, a, 1e18);
        give(a, pairAB, 5e18);
        assertEq(swap(a, 1e18, b, hop(pairAB, isZero(pairAB, a), 3000)), expected);
    }

    function test_feeOnTransferOnTheWayIsRefusedByThePair() public {
        address fee = address(new WeirdToken(Oddity.TakesFee));
        address one = createV2(a, 1e24, fee, 1e24);
        address two = createV2(fee, 1e24, b, 1e24);
        bytes memory program = bytes.concat(
            Program.table(fee),
            Program.v2(0, 2, 0, one, isZero(one, a), 3000),
            Program.v2(2, 1, 0, two, isZero(two, fee), 3000)
        );
        vm.expectRevert(bytes("UniswapV2: K"));
        swap(a, 1e18, b, program);
    }

    /// A pair takes a token in with a transfer fee if the fee that the program names covers that fee too.
    function test_feeOnTransferInIsTakenWithinTheProgramsFee() public {
        address fee = address(new WeirdToken(Oddity.TakesFee));
        address pair = createV2(fee, 1e24, b, 1e24);
        fund(alice, fee, 2e18);
        (bytes memory fair, bytes memory more) =
            (hop(pair, isZero(pair, fee), 3000), hop(pair, isZero(pair, fee), 13_000));
        vm.expectRevert(bytes("UniswapV2: K"));
        swap(fee, 1e18, b, fair);
        assertGt(swap(fee, 1e18, b, more), 0.98e18);
    }

    /// A pool that swaps the next pair's payment away while it pays it: its caller reverts.
    function test_refusesWhatTakesTheNextPayment() public {
        (bool z, uint256 stolen) = (isZero(pairBC, b), quoteV2(pairBC, b, 1e18));
        give(b, address(hostile), 1e18);
        hostile.add(b, abi.encodeCall(TestToken.transfer, (pairBC, 1e18)));
        hostile.add(pairBC, abi.encodeCall(IV2Pair.swap, (z ? 0 : stolen, z ? stolen : 0, bob, "")));
        bytes memory program = bytes.concat(
            Program.table(b), Program.v2(0, 2, 0, address(hostile), true, 3000), Program.v2(2, 1, 0, pairBC, z, 3000)
        );
        vm.expectRevert(bytes("UniswapV2: INSUFFICIENT_INPUT_AMOUNT"));
        swap(a, 1e18, c, program);
    }

    /// A transfer fee of the token out lowers the amount that arrives; the floor applies to that amount.
    function test_feeOnTransferOutIsMeasured() public {
        address fee = address(new WeirdToken(Oddity.TakesFee));
        address pair = createV2(a, 1e24, fee, 1e24);
        uint256 sent = quoteV2(pair, a, 1e18);
        uint256 arrived = swap(a, 1e18, fee, hop(pair, isZero(pair, a), 3000));
        assertEq(arrived, balance(fee, alice));
        assertEq(arrived, (sent * 99 / 100) * 99 / 100);
    }

    function test_emptyHandedPairIsRefused() public {
        bytes memory program = hop(address(hostile), true, 3000);
        vm.expectRevert(
            abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), b, 0, 0)
        );
        swap(a, 1e18, b, program);
    }

    function test_overflowingReservesAreRefused() public {
        hostile.setReserves(type(uint112).max, type(uint112).max);
        bytes memory program = hop(address(hostile), true, 0);
        WeirdToken big = new WeirdToken(Oddity.None);
        fund(alice, address(big), 1e58);
        vm.expectPartialRevert(IExecutor.NothingPaid.selector);
        swap(address(big), 1e30, b, program);
        // amountIn · 1e6 · reserve exceeds 2^256: checked arithmetic reverts instead of paying wrongly.
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        swap(address(big), 1e58, b, program);
    }

    function test_readsNothingFromWhatIsNoPair() public {
        bytes memory program = hop(address(v3Factory), true, 3000);
        vm.expectRevert();
        swap(a, 1e18, b, program);
    }

    /// A pool that takes the output token during its hop is refused.
    function test_refusesAFallingBalance() public {
        WeirdToken y = new WeirdToken(Oddity.None);
        y.mint(address(executor), 100);
        hostile.add(address(y), abi.encodeCall(WeirdToken.rebase, (0.5e18)));
        bytes memory program = hop(address(hostile), true, 3000);
        vm.expectRevert(
            abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), address(y), 100, 50)
        );
        swap(a, 1e18, address(y), program);
    }

    function test_refusesAFailedTransfer() public {
        WeirdToken x = new WeirdToken(Oddity.None);
        fund(alice, address(x), 1e18);
        address pair = createV2(address(x), 1e24, b, 1e24);
        bytes memory program = hop(pair, isZero(pair, address(x)), 3000);
        // The token moves one wei less than requested, and then nothing.
        x.setOddity(Oddity.MovesLess);
        vm.expectRevert("UniswapV2: K");
        swap(address(x), 1e18, b, program);
        x.setOddity(Oddity.ReturnsFalse);
        vm.expectRevert(
            abi.encodeWithSelector(
                Tokens.TransferFailed.selector, address(x), alice, pair, 1e18
            )
        );
        swap(address(x), 1e18, b, program);
    }
}
