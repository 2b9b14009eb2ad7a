// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../src/libraries/Tokens.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";
import {Answerer, Bomb} from "./hostile/Answerer.sol";
import {HostilePool} from "./hostile/HostilePool.sol";

/// @title The library behind a door of its own.
contract TokensCaller {
    function balanceOf(address token, address account) external view returns (uint256) {
        return Tokens.balanceOf(token, account);
    }

    function transfer(address token, address to, uint256 amount) external {
        Tokens.transfer(token, to, amount);
    }

    function approve(address token, address spender, uint256 amount) external {
        Tokens.approve(token, spender, amount);
    }

    function pullFromSender(address token, address to, uint256 amount) external {
        Tokens.pullFromSender(token, to, amount);
    }

    function permitFromSender(address token, uint256 amount, bytes calldata signature) external {
        Tokens.permitFromSender(token, amount, block.timestamp, signature);
    }

    /// A transfer after the word 1 was left in the scratch space.
    function transferAfterOne(address token, address to, uint256 amount) external {
        assembly { mstore(0, 1) }
        Tokens.transfer(token, to, amount);
    }

    /// What a transfer and a reading send where the upper bits of both addresses are not zero.
    function dirty(address token, address to, uint256 amount, uint96 dirt) external returns (uint256) {
        assembly {
            token := or(token, shl(160, dirt))
            to := or(to, shl(160, dirt))
        }
        Tokens.transfer(token, to, amount);
        return Tokens.balanceOf(token, to);
    }
}

/// @title The only assembly there is, against any answer: as an auditor asks.
contract TokensTest is Base {
    /// Enough for any swap here; a precompile that refuses burns nearly all of it.
    uint256 internal constant GAS = 1_000_000;

    TokensCaller internal door;


    function setUp() public override {
        super.setUp();
        door = new TokensCaller();
    }

    function writesOf(address token) private view returns (bytes[3] memory) {
        return [
            abi.encodeCall(door.transfer, (token, bob, 7)),
            abi.encodeCall(door.approve, (token, bob, 7)),
            abi.encodeCall(door.pullFromSender, (token, bob, 7))
        ];
    }

    /// Any answer is judged as Solidity's own copy of it would be.
    function testFuzz_invariant11_anyAnswerIsJudgedAsItsCopy(uint8 size, uint256 word, bool refuses) public {
        // Words that are nearly true are drawn as often as all others.
        uint256[5] memory near = [uint256(0), 1, 2, 1 << 255, (1 << 255) | 1];
        if (word % 2 == 0) word = near[(word >> 1) % 5];
        bytes memory answer = new bytes(size % 100);
        for (uint256 i = 0; i < answer.length; i++) answer[i] = i < 32 ? bytes32(word)[i] : bytes1(0xff);
        address token = address(new Answerer(answer, refuses));
        bool isWord = answer.length >= 32;
        bool accepts = !refuses && (answer.length == 0 || (isWord && word == 1));
        bytes[3] memory calls = writesOf(token);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory reason) = address(door).call(calls[i]);
            assertEq(ok, accepts, "accepted");
            if (!ok) {
                assertEq(bytes4(reason), i == 1 ? Tokens.ApproveFailed.selector : Tokens.TransferFailed.selector);
            }
        }
        if (refuses || !isWord) {
            vm.expectRevert(abi.encodeWithSelector(Tokens.BalanceUnreadable.selector, token, bob));
            door.balanceOf(token, bob);
        } else {
            assertEq(door.balanceOf(token, bob), word, "balance");
        }
    }

    /// Of an answer shorter than a word the rest is not taken from what was there before.
    function test_invariant11_shortAnswersAreNotFilledUp() public {
        for (uint256 size = 1; size < 32; size++) {
            address token = address(new Answerer(new bytes(size), false));
            vm.expectRevert(
                abi.encodeWithSelector(Tokens.TransferFailed.selector, token, address(door), bob, 7)
            );
            door.transferAfterOne(token, bob, 7);
        }
    }

    /// Nothing but the scratch space is written: what is held in memory stays, and so does the zero slot.
    function testFuzz_invariant11_memoryIsLeftAlone(uint8 size, bytes32 filling) public {
        bytes memory answer = abi.encode(uint256(1), filling, filling, filling);
        assembly { mstore(answer, add(32, mod(size, 97))) }
        address token = address(new Answerer(answer, false));
        bytes memory kept = abi.encode(filling, ~filling, filling);
        bytes32 keptHash = keccak256(kept);
        uint256 free;
        assembly { free := mload(0x40) }
        uint256 held = Tokens.balanceOf(token, bob);
        Tokens.transfer(token, bob, 7);
        Tokens.approve(token, bob, 7);
        uint256 freeAfter;
        uint256 zero;
        assembly {
            freeAfter := mload(0x40)
            zero := mload(0x60)
        }
        assertEq(held, 1);
        assertEq(zero, 0, "zero slot");
        assertEq(keccak256(kept), keptHash, "kept");
        // What was asked: a length, a selector and the arguments of each, and nothing of the answers.
        assertEq(freeAfter - free, (32 + 36) + 2 * (32 + 68), "taken");
    }

    /// What a token answers beyond a word, or reverts with, costs the caller nothing.
    function test_invariant11_longAnswersAreNotCopied() public {
        for (uint256 i = 0; i < 2; i++) {
            address token = address(new Bomb(i == 1));
            uint256 own = gasOf(token, "");
            bytes[3] memory calls = writesOf(token);
            for (uint256 j = 0; j < 3; j++) assertLt(gasOf(address(door), calls[j]), own + 10_000, "write");
            bytes memory data = abi.encodeCall(door.balanceOf, (token, bob));
            assertLt(gasOf(address(door), data), own + 10_000, "balanceOf");
            data = abi.encodeCall(door.permitFromSender, (token, 7, new bytes(65)));
            assertLt(gasOf(address(door), data), own + 10_000, "permit");
        }
    }

    /// Of a call whose answer is not copied.
    function gasOf(address target, bytes memory data) private returns (uint256 gas) {
        gas = gasleft();
        assembly { pop(call(gas(), target, 0, add(data, 32), mload(data), 0, 0)) }
        gas -= gasleft();
    }

    /// The bits above an address are ignored.
    function testFuzz_invariant11_upperBitsAreIgnored(uint96 dirt, uint256 amount) public {
        amount = bound(amount, 0, 1e30);
        give(a, address(door), amount);
        assertEq(door.dirty(a, bob, amount, dirt), amount);
        assertEq(balance(a, bob), amount);
    }

    /// The chain's own functions have no code; some of them answer with a word, and none with 1.
    function test_invariant11_precompilesAreNoTokens() public {
        HostilePool pool = new HostilePool();
        pool.setAnswer(5);
        fund(alice, a, 10e18);
        for (uint160 i = 1; i <= 0x0a; i++) {
            address token = address(i);
            bytes[3] memory calls = writesOf(token);
            for (uint256 j = 0; j < 3; j++) {
                (bool ok,) = address(door).call{gas: GAS}(calls[j]);
                assertFalse(ok, "accepted");
            }
            for (uint8 opcode = 1; opcode <= 6; opcode++) refusesAround(token, opcode, address(pool));
        }
        assertEq(balance(a, alice), 10e18);
    }

    /// As token in, token out, and between two pools that answer whatever is asked of them.
    function refusesAround(address token, uint8 opcode, address pool) private {
        bytes memory one = Program.hop(opcode, 0, 1, 0, pool);
        bytes memory two =
            bytes.concat(Program.hop(opcode, 0, 2, 0, pool), Program.hop(1, 2, 1, 0, pairAB));
        bytes[3] memory calls = [
            callOf(token, b, bytes.concat(Program.table(), one)),
            callOf(a, token, bytes.concat(Program.table(), one)),
            callOf(a, b, bytes.concat(Program.table(token), two))
        ];
        for (uint256 i = 0; i < calls.length; i++) {
            vm.prank(alice);
            (bool ok,) = address(router).call{gas: GAS}(calls[i]);
            assertFalse(ok, "served");
        }
    }

    function callOf(address tokenIn, address tokenOut, bytes memory program) private view returns (bytes memory) {
        return abi.encodeCall(router.swap, (tokenIn, 1e18, tokenOut, 1, address(0), block.timestamp, program));
    }

    /// A contract that takes every call and says nothing is a token that returns nothing, until it is
    /// asked for a balance, or until a pair looks for what came.
    function test_invariant11_silenceIsNoPayment() public {
        address token = address(new Answerer("", false));
        (bytes memory held, bytes memory passed) = (hopV3(poolAB, a), hopV2(pairAB, a));
        vm.expectRevert(
            abi.encodeWithSelector(Tokens.BalanceUnreadable.selector, token, address(executor))
        );
        swap(token, 1e18, b, held);
        vm.expectRevert("UniswapV2: INSUFFICIENT_INPUT_AMOUNT");
        swap(token, 1e18, b, passed);
    }
}
