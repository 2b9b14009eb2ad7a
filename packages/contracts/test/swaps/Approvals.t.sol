// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {Approval} from "../../src/libraries/Approval.sol";
import {Erc4626} from "../../src/swaps/Erc4626.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";
import {HostilePool} from "../hostile/HostilePool.sol";
import {Payer} from "./InstantUnstake.t.sol";

/// @title What every family does that is paid by an approval: each question is asked of each of them.
contract ApprovalsTest is Base {
    uint256 internal constant AMOUNT = 1e18;
    uint8 internal constant VAULT = 4;
    uint8 internal constant UNSTAKING = 14;

    /// ERC-4626, STEX, ladder, StableSwap, cryptoswap, instant unstaking.
    uint8[6] internal opcodes = [VAULT, 5, 6, 7, 11, UNSTAKING];
    HostilePool internal hostile;
    Payer internal payer;

    function setUp() public override {
        super.setUp();
        hostile = new HostilePool();
        payer = new Payer();
        deal(address(payer), 7);
        fund(alice, a, 1e30);
    }

    function each(function(uint8) internal ask) private {
        for (uint256 i = 0; i < opcodes.length; i++) {
            uint256 id = vm.snapshotState();
            ask(opcodes[i]);
            vm.revertToState(id);
        }
    }

    function hop(uint8 opcode, uint24 share) private view returns (bytes memory) {
        return bytes.concat(Program.table(), Program.hop(opcode, 0, 1, share, address(hostile)));
    }

    /// Unstaking pays the native token, and its hop wraps it.
    function out(uint8 opcode) private view returns (address) {
        return opcode == UNSTAKING ? whype : b;
    }

    function takes(uint256 amount) private {
        hostile.add(a, abi.encodeCall(TestToken.transferFrom, (address(executor), address(hostile), amount)));
    }

    function paysSeven(uint8 opcode) private {
        if (opcode == UNSTAKING) hostile.add(address(payer), abi.encodeCall(Payer.pay, (address(executor))));
        else hostile.add(b, abi.encodeCall(TestToken.mint, (address(executor), 7)));
    }

    function refuses(uint8 opcode, bytes memory program, uint256 amountIn, uint256 taken) private {
        bytes4 name = opcode == VAULT ? Erc4626.VaultTookOther.selector : Approval.PoolTookOther.selector;
        vm.expectRevert(abi.encodeWithSelector(name, address(hostile), amountIn, taken));
        swap(a, AMOUNT, out(opcode), program);
    }

    /// The approval covers only the hop's amount, even if the executor has more for another hop.
    function test_isApprovedForItsHopAlone() public {
        each(isApprovedForItsHopAlone);
    }

    function isApprovedForItsHopAlone(uint8 opcode) private {
        takes(6e17);
        paysSeven(opcode);
        address pair = opcode == UNSTAKING ? pairAW : pairAB;
        bytes memory rest = Program.v2(0, 1, 0, pair, isZero(pair, a), 3000);
        uint256 half = AMOUNT * uint256(Program.HALF) / 0xFFFFFF;
        refuses(opcode, bytes.concat(hop(opcode, Program.HALF), rest), half, 0);
    }

    function test_refusesWhatTakesLess() public {
        each(refusesWhatTakesLess);
    }

    function refusesWhatTakesLess(uint8 opcode) private {
        takes(AMOUNT - 1);
        paysSeven(opcode);
        refuses(opcode, hop(opcode, 0), AMOUNT, AMOUNT - 1);
    }

    /// A pool tries to take a wei more, which the executor has from a gift.
    function test_refusesWhatTakesMore() public {
        each(refusesWhatTakesMore);
    }

    function refusesWhatTakesMore(uint8 opcode) private {
        give(a, address(executor), AMOUNT);
        takes(AMOUNT + 1);
        paysSeven(opcode);
        refuses(opcode, hop(opcode, 0), AMOUNT, 0);
    }

    /// A pool that pays but does not take the input: refused, so the input is never stranded.
    function test_refusesWhatTakesNothing() public {
        each(refusesWhatTakesNothing);
    }

    function refusesWhatTakesNothing(uint8 opcode) private {
        paysSeven(opcode);
        refuses(opcode, hop(opcode, 0), AMOUNT, 0);
        assertEq(balance(a, alice), 1e30);
    }

    /// A pool that gives of its input has taken nothing.
    function test_refusesWhatGivesItsInput() public {
        each(refusesWhatGivesItsInput);
    }

    function refusesWhatGivesItsInput(uint8 opcode) private {
        hostile.add(a, abi.encodeCall(TestToken.mint, (address(executor), 1)));
        paysSeven(opcode);
        refuses(opcode, hop(opcode, 0), AMOUNT, 0);
    }

    function test_refusesWhatPaysNothing() public {
        each(refusesWhatPaysNothing);
    }

    function refusesWhatPaysNothing(uint8 opcode) private {
        takes(AMOUNT);
        bytes memory program = hop(opcode, 0);
        address paid = out(opcode);
        vm.expectRevert(abi.encodeWithSelector(IExecutor.NothingPaid.selector, address(hostile), paid, 0, 0));
        swap(a, AMOUNT, paid, program);
    }

    /// The pool calls back, by a name that one of the families has and by the router's: the executor has neither.
    function test_answersNoCallback() public {
        each(answersNoCallback);
    }

    function answersNoCallback(uint8 opcode) private {
        bytes memory callback =
            abi.encodeWithSignature("sovereignPoolSwapCallback(address,uint256,bytes)", a, AMOUNT, "");
        bytes memory entry =
            abi.encodeCall(IExecutor.execute, (a, AMOUNT, b, address(hostile), address(executor), ""));
        hostile.add(address(executor), callback);
        hostile.add(address(executor), entry);
        takes(AMOUNT);
        paysSeven(opcode);
        assertEq(swap(a, AMOUNT, out(opcode), hop(opcode, 0)), 7);
        assertFalse(hostile.succeeded(0), "called back");
        assertFalse(hostile.succeeded(1), "entered twice");
        assertEq(balance(a, address(hostile)), AMOUNT);
        assertEq(TestToken(a).allowance(address(executor), address(hostile)), 0, "still approved");
    }
}
