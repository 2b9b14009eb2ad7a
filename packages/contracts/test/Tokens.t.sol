// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tokens} from "../src/libraries/Tokens.sol";
import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";
import {GarbageToken, Bomb} from "./hostile/GarbageToken.sol";
import {HostilePool} from "./hostile/HostilePool.sol";

/// @title Exposes the functions of the library to the tests.
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

    /// A transfer when the scratch space still contains the word 1.
    function transferAfterOne(address token, address to, uint256 amount) external {
        assembly { mstore(0, 1) }
        Tokens.transfer(token, to, amount);
    }

    /// A transfer and a balance query with upper bits set in both addresses.
    function dirty(address token, address to, uint256 amount, uint96 dirt) external returns (uint256) {
        assembly {
            token := or(token, shl(160, dirt))
            to := or(to, shl(160, dirt))
        }
        Tokens.transfer(token, to, amount);
        return Tokens.balanceOf(token, to);
    }
}

/// @title The assembly of the library Tokens, against arbitrary return data.
contract TokensTest is Base {
    /// Enough for any swap in these tests; a precompile that fails burns nearly all of it.
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

    /// Return data is accepted exactly if Solidity's own decoding of a full copy would accept it.
    function testFuzz_invariant11_anyAnswerIsJudgedAsItsCopy(uint8 size, uint256 word, bool refuses) public {
        // Half of the words are close to 1 (true).
        uint256[5] memory near = [uint256(0), 1, 2, 1 << 255, (1 << 255) | 1];
        if (word % 2 == 0) word = near[(word >> 1) % 5];
        bytes memory answer = new bytes(size % 100);
        for (uint256 i = 0; i < answer.length; i++) answer[i] = i < 32 ? bytes32(word)[i] : bytes1(0xff);
        address token = address(new GarbageToken(answer, refuses));
        bool isWord = answer.length >= 32;
        bool accepts = !refuses && (answer.length == 0 || this.decodesToTrue(answer));
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

    /// Solidity's own decoding, which refuses a short answer and every word but 0 and 1.
    function decodesToTrue(bytes calldata answer) external view returns (bool) {
        try this.decode(answer) returns (bool isTrue) {
            return isTrue;
        } catch {
            return false;
        }
    }

    function decode(bytes calldata answer) external pure returns (bool) {
        return abi.decode(answer, (bool));
    }

    /// If the return data is shorter than a word, old bytes of the scratch space do not complete it.
    function test_invariant11_shortAnswersAreNotFilledUp() public {
        for (uint256 size = 1; size < 32; size++) {
            address token = address(new GarbageToken(new bytes(size), false));
            vm.expectRevert(
                abi.encodeWithSelector(Tokens.TransferFailed.selector, token, address(door), bob, 7)
            );
            door.transferAfterOne(token, bob, 7);
        }
    }

    /// Only the scratch space is written: allocated memory and the zero slot do not change.
    function testFuzz_invariant11_memoryIsLeftAlone(uint8 size, bytes32 filling) public {
        bytes memory answer = abi.encode(uint256(1), filling, filling, filling);
        assembly { mstore(answer, add(32, mod(size, 97))) }
        address token = address(new GarbageToken(answer, false));
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
        // Memory grew by the encoded calls (length, selector, arguments), and not by return data.
        assertEq(freeAfter - free, (32 + 36) + 2 * (32 + 68), "taken");
    }

    /// Long return data and long revert reasons cost the caller nothing.
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

    /// The gas of a call whose return data is not copied.
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

    /// Precompiles have no code. Some return a word, but none returns 1.
    function test_invariant11_precompilesAreNoTokens() public {
        HostilePool pool = new HostilePool();
        pool.setAnswer(5);
        fund(alice, a, 10e18);
        uint8[] memory opcodes = Program.opcodes();
        for (uint160 i = 1; i <= 0x0a; i++) {
            address token = address(i);
            bytes[3] memory calls = writesOf(token);
            for (uint256 j = 0; j < 3; j++) {
                (bool ok,) = address(door).call{gas: GAS}(calls[j]);
                assertFalse(ok, "accepted");
            }
            for (uint256 k = 0; k < opcodes.length; k++) refusesAround(token, opcodes[k], address(pool));
        }
        assertEq(balance(a, alice), 10e18);
    }

    /// As token in, token out, and intermediate token between two pools that accept every call.
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
        return abi.encodeCall(router.swap, (order(tokenIn, 1e18, tokenOut, 1, address(0), block.timestamp, program), program));
    }

    /// A contract that accepts every call and returns nothing passes for a token without return values
    /// until its balance is read, or until a pair measures its payment.
    function test_invariant11_silenceIsNoPayment() public {
        address token = address(new GarbageToken("", false));
        (bytes memory held, bytes memory passed) = (hopV3(poolAB, a), hopV2(pairAB, a));
        vm.expectRevert(
            abi.encodeWithSelector(Tokens.BalanceUnreadable.selector, token, address(executor))
        );
        swap(token, 1e18, b, held);
        vm.expectRevert("UniswapV2: INSUFFICIENT_INPUT_AMOUNT");
        swap(token, 1e18, b, passed);
    }
}
