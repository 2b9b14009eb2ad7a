// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {IV2Pair} from "../base/Amm.sol";
import {Program} from "../base/Program.sol";
import {Accomplice} from "../hostile/HostilePool.sol";
import {Oddity} from "../hostile/WeirdToken.sol";
import {Accounting} from "./Accounting.sol";

/// @title The actions of the stateful suite: honest, hostile and malformed calls, in any order.
/// @dev Each action catches its own reverts. After each action the promises are checked, and the number
/// of the first broken promise is recorded.
contract Fixture is Accounting {
    /// For each call of the hostile pool, the promise that its success would break; 0 for none.
    uint256[] private _forbidden;

    /// Not a constructor, because pools call back while liquidity is added.
    function open() external {
        build();
    }

    /// An honest route, direct or through one intermediate token, split over all pools.
    function trade(uint256 seed, uint256 amountIn, bool elsewhere) external {
        Order memory order = drawOrder(seed, amountIn);
        if (elsewhere) order.receiver = people[next(seed) % 3];
        if (settle(order, drawRoute(order, seed), true)) done["trade"]++;
    }

    /// A route with a hostile pool of any family, which tries forbidden calls during its hop.
    function attack(uint256 seed, uint256 amountIn, uint8 family, uint24 share) external {
        Order memory order = drawOrder(seed, amountIn);
        (address x, address y) = (wrapped(order.tokenIn), wrapped(order.tokenOut));
        if (x == y) return;
        uint8[] memory opcodes = Program.opcodes();
        uint8 opcode = opcodes[family % opcodes.length];
        script(order, share, opcode, next(seed));
        bytes memory program =
            bytes.concat(Program.table(), Program.hop(opcode, 0, 1, share, address(hostile)));
        program = bytes.concat(program, stage(0, x, 1, y, seed));
        if (settle(order, program, false)) {
            done["attack"]++;
            checkActs();
        }
    }

    /// A hostile executor, which may be paid or not, tries forbidden calls, and says and pays anything.
    function hire(uint256 seed, uint256 amountIn, uint256 who) external {
        Order memory order = drawOrder(seed, amountIn);
        if (wrapped(order.tokenIn) == wrapped(order.tokenOut)) return;
        order.executor = address(hostile);
        order.payee = drawPayee(who);
        script(order, 0, 0, next(seed));
        // The router gets the wrapped token of a native output.
        address to = order.tokenOut == NATIVE ? address(router) : order.receiver;
        act(wrapped(order.tokenOut), abi.encodeCall(TestToken.transfer, (to, seed % 1e18)), 0);
        if (settle(order, abi.encode(seed), false)) {
            done["hire"]++;
            checkActs();
        }
    }

    /// An honest route whose amount in goes to anybody.
    function misname(uint256 seed, uint256 amountIn, uint256 who) external {
        Order memory order = drawOrder(seed, amountIn);
        bytes memory program = drawRoute(order, seed);
        order.payee = drawPayee(who);
        if (!settle(order, program, true)) return;
        if (order.payee != address(executor) && order.payee != Program.payee(program, address(executor))) fail(6);
        done["misname"]++;
    }

    function drawPayee(uint256 who) private view returns (address) {
        address[6] memory some =
            [address(hostile), address(executor), address(router), people[0], people[3], pools[who % pools.length].pool];
        return some[(who >> 16) % 6];
    }

    /// A route among payments of any token, in any number and to anyone, also of gifts and to accomplices.
    function payments(uint256 seed, uint256 amountIn, uint8 count) external {
        Order memory order = drawOrder(seed, amountIn);
        (address x, address y) = (wrapped(order.tokenIn), wrapped(order.tokenOut));
        if (x == y) return;
        bytes memory program = bytes.concat(Program.table(tokens[seed % 4]), drawPayments(seed, count));
        program = bytes.concat(program, stage(0, x, 1, y, seed), drawPayments(next(seed), count));
        if (settle(order, program, false)) done["payments"]++;
    }

    function drawPayments(uint256 seed, uint8 count) private view returns (bytes memory some) {
        address[6] memory payees =
            [people[0], people[1], address(hostile), pools[0].pool, address(router), address(executor)];
        for (uint256 i = 0; i < count % 16; i++) {
            seed = next(seed);
            // The two contracts are refused, so they are named rarely.
            address to = payees[seed % (seed >> 8 & 0xF == 0 ? 6 : 4)];
            some = bytes.concat(some, Program.pay(uint8(seed >> 16) % 3, uint24(seed >> 24) % 10_001, to));
        }
    }

    /// A token with one oddity, as token in or token out, which may call back during a transfer.
    function odd(uint256 seed, uint256 amountIn, uint8 oddity, uint256 rate) external {
        Order memory order = drawOrder(seed, amountIn);
        if (rate % 4 == 0) weird.rebase(bound(rate, 0.5e18, 2e18));
        weird.setOddity(Oddity(oddity % 14));
        (address target, bytes memory data) = intrusion(order, next(seed));
        weird.setCall(target, data);
        bool z = isZero(weirdPair, address(weird));
        bool sold = (seed >> 40) % 2 == 0;
        (order.tokenIn, order.tokenOut) =
            sold ? (address(weird), tokens[0]) : (tokens[0], address(weird));
        bytes memory program =
            bytes.concat(Program.table(), Program.v2(0, 1, 0, weirdPair, sold ? z : !z, 3000));
        if (settle(order, program, false)) done["odd"]++;
        if (weird.callSucceeded()) fail(9);
        weird.setOddity(Oddity.None);
        weird.rebase(1e18);
        IV2Pair(weirdPair).sync();
    }

    /// A receiver that calls back when it gets the native token.
    function deliver(uint256 seed, uint256 amountIn) external {
        Order memory order = drawOrder(seed, amountIn);
        order.tokenOut = NATIVE;
        order.receiver = address(caller);
        if (order.tokenIn == NATIVE) order.tokenIn = tokens[0];
        (address target, bytes memory data) = intrusion(order, next(seed));
        caller.setCall(target, data);
        if (settle(order, drawRoute(order, seed), true)) done["deliver"]++;
        if (caller.called() && caller.succeeded()) fail(9);
    }

    /// A damaged honest program: cut, extended, one byte or one address changed, or doubled.
    function malform(uint256 seed, uint256 amountIn, uint256 at, bytes32 noise_) external {
        Order memory order = drawOrder(seed, amountIn);
        bytes memory program = drawRoute(order, seed);
        uint256 kind = (seed >> 48) % 5;
        at = at % program.length;
        if (kind == 0) assembly { mstore(program, at) }
        if (kind == 1) program = bytes.concat(program, abi.encodePacked(noise_));
        if (kind == 2) program[at] = noise_[0];
        if (kind == 3) {
            address[6] memory others =
                [tokens[0], whype, address(router), address(executor), permit2, pools[0].pool];
            bytes20 other = bytes20(others[uint256(noise_) % 6]);
            for (uint256 i = 0; i < 20 && at + i < program.length; i++) program[at + i] = other[i];
        }
        if (kind == 4) program = bytes.concat(program, program);
        if (settle(order, program, true)) done["malform"]++;
    }

    /// Valid calldata with one word changed, sometimes beside native tokens: only its sender may lose.
    function dirty(uint256 seed, uint256 amountIn, uint256 word, bytes32 content) external {
        Order memory order = drawOrder(seed, amountIn);
        bytes memory data = encode(order, drawRoute(order, seed));
        word = word % ((data.length - 4) / 32);
        if (seed >> 128 & 1 == 0) content = bytes32(uint256(content) % (2 * data.length));
        assembly { mstore(add(add(data, 36), mul(word, 32)), content) }
        uint256 value = seed >> 129 & 3 == 0 ? order.amountIn : 0;
        uint256 held = address(router).balance;
        remember(order.payer, address(0));
        vm.prank(order.payer);
        (bool ok,) = address(router).call{value: value, gas: 5_000_000}(data);
        if (!ok) return;
        done["dirty"]++;
        if (address(router).balance != held) fail(7);
        compare(order.payer, ANYTHING, order.payer, 0, false);
    }

    /// Another account uses a signature that the victim made for the router.
    function steal(uint256 seed, uint256 amountIn) external {
        Order memory order = drawOrder(seed, amountIn);
        order.key = keys[3];
        if (settle(order, drawRoute(order, seed), true)) {
            if (order.entry == Entry.Permit2) fail(1);
            done["steal"]++;
        }
    }

    /// Random bytes as a program.
    function noise(uint256 seed, uint256 amountIn, bytes calldata program) external {
        if (settle(drawOrder(seed, amountIn), program, false)) done["noise"]++;
    }

    /// Any account makes any call to the two contracts directly.
    function knock(uint256 seed, bytes calldata data) external {
        address attacker = people[seed % 3];
        Order memory order = drawOrder(seed, seed >> 64);
        remember(attacker, address(0));
        (address target, bytes memory prepared) = intrusion(order, next(seed));
        if (seed % 2 == 0) (target, prepared) = (seed % 4 == 0 ? address(router) : address(executor), data);
        vm.prank(attacker);
        (bool ok,) = target.call{gas: 5_000_000}(prepared);
        if (!ok) return;
        done["knock"]++;
        if (target == address(executor) && data.length > 4 && bytes4(data) != IExecutor.router.selector) fail(9);
        compare(attacker, ANYTHING, attacker, 0, false);
    }

    /// Gifts to the two contracts.
    function donate(uint256 seed, uint256 amount) external {
        address to = seed % 2 == 0 ? address(router) : address(executor);
        give(tokens[(seed >> 8) % 4], to, bound(amount, 1, 1e24));
        if (seed % 7 == 0) deal(to, to.balance + bound(amount, 1, 1e24));
        done["donate"]++;
    }

    function drawOrder(uint256 seed, uint256 amountIn) private view returns (Order memory order) {
        uint256 who = seed % 3;
        (order.payer, order.key) = (people[who], keys[who]);
        order.tokenIn = pickToken(seed >> 8);
        order.tokenOut = pickToken(seed >> 16);
        order.amountIn = (seed >> 24) % 8 == 0 ? bound(amountIn, 0, 3) : bound(amountIn, 1, 1e22);
        order.minAmountOut = (seed >> 32) % 4 == 0 ? bound(next(amountIn), 0, 1e22) : 1;
        order.receiver = order.payer;
        order.executor = address(executor);
        // Half by approval; the native token takes no permit.
        if (order.tokenIn != NATIVE && (seed >> 56) % 2 == 0) {
            order.entry = (seed >> 57) % 2 == 0 ? Entry.Permit : Entry.Permit2;
        }
    }

    function drawRoute(Order memory order, uint256 seed) private view returns (bytes memory) {
        (address x, address y) = (wrapped(order.tokenIn), wrapped(order.tokenOut));
        address middle = tokens[(seed >> 64) % 4];
        if (x == y) return Program.table();
        if ((seed >> 72) % 2 == 0) return drawPath(x, y, seed);
        if (middle == x || middle == y) return bytes.concat(Program.table(), stage(0, x, 1, y, seed));
        return bytes.concat(Program.table(middle), stage(0, x, 2, middle, seed), stage(2, middle, 1, y, seed));
    }

    /// A path through one or two intermediate tokens, sometimes with a deposit and redemption first.
    function drawPath(address x, address y, uint256 seed) private view returns (bytes memory) {
        address[4] memory way = [x, tokens[(seed >> 64) % 4], tokens[(seed >> 66) % 4], y];
        bytes memory hops;
        if (x == tokens[0] && (seed >> 73) % 2 == 0) {
            hops = bytes.concat(
                Program.erc4626(0, 4, seed >> 74 & 1 == 0 ? 0 : uint24(seed >> 75), vault, true),
                Program.erc4626(4, 0, 0, vault, false)
            );
        }
        uint8[4] memory index = [0, 2, 3, 1];
        uint256 at = 0;
        for (uint256 i = 1; i < 4; i++) {
            if (way[i] == way[at] || (i < 3 && way[i] == y)) continue;
            seed = next(seed);
            hops = bytes.concat(hops, leg(index[at], way[at], index[i], way[i], seed));
            at = i;
        }
        return bytes.concat(abi.encodePacked(uint8(3), way[1], way[2], vault), hops);
    }

    /// A path with a hostile pool that the previous pool pays directly, or that pays the next pair directly.
    function relay(uint256 seed, uint256 amountIn, uint8 family) external {
        Order memory order = drawOrder(seed, amountIn);
        (address x, address y) = (wrapped(order.tokenIn), wrapped(order.tokenOut));
        address middle = tokens[(seed >> 64) % 4];
        if (x == y || middle == x || middle == y) return;
        bool isFirst = seed >> 72 & 1 == 0;
        uint8 opcode = isFirst ? [1, 2, 3, 4][family % 4] : [1, 3][family % 2];
        bytes memory evil = Program.hop(opcode, isFirst ? 0 : 2, isFirst ? 2 : 1, 0, address(hostile));
        script(order, 0, opcode, next(seed));
        // It pays to the given receiver, or to another account.
        address payee = isFirst ? pairOf(middle, y) : address(executor);
        address paid = isFirst ? middle : y;
        if (seed >> 73 & 3 == 0) payee = pools[0].pool;
        act(paid, abi.encodeCall(TestToken.transfer, (payee, seed % 1e18)), 0);
        if (seed >> 75 & 3 == 0) act(pairOf(middle, y), abi.encodeWithSignature("sync()"), 0);
        bytes memory good = isFirst
            ? Program.v2(2, 1, 0, pairOf(middle, y), isZero(pairOf(middle, y), middle), 3000)
            : Program.v2(0, 2, 0, pairOf(x, middle), isZero(pairOf(x, middle), x), 3000);
        if (settle(order, bytes.concat(Program.table(middle), isFirst ? evil : good, isFirst ? good : evil), false)) {
            done["relay"]++;
            checkActs();
        }
    }

    /// Configures the hostile pool: it takes its input, tries forbidden calls, and pays.
    function script(Order memory order, uint24 share, uint8 opcode, uint256 seed) private {
        (address x, address y) = (wrapped(order.tokenIn), wrapped(order.tokenOut));
        uint256 inFlight = share == 0 ? order.amountIn : order.amountIn * share / 0xFFFFFF;
        hostile.clear();
        delete _forbidden;
        hostile.setAnswer(seed % 3 == 0 ? 1 : seed % 1e18);
        if (opcode == 2) act(address(executor), callback(int256(inFlight), seed), 0);
        // A pool that is paid by an approval takes its exact amount first.
        if (opcode >= 4) act(x, abi.encodeCall(TestToken.transferFrom, (address(executor), address(hostile), inFlight)), 0);
        for (uint256 i = 0; i < 4; i++) {
            seed = next(seed);
            forbid(seed % 8, order, x, inFlight, seed >> 8);
        }
        act(y, abi.encodeCall(TestToken.transfer, (address(executor), seed % 1e18)), 0);
        if (seed % 4 == 0) act(y, abi.encodeCall(TestToken.transfer, (order.receiver, seed % 1e18)), 0);
        if (seed % 5 == 0) act(x, abi.encodeCall(TestToken.transfer, (address(executor), seed % 1e18)), 0);
    }

    function forbid(uint256 kind, Order memory order, address x, uint256 inFlight, uint256 seed) private {
        address self = address(hostile);
        bytes memory again = callback(int256(seed % 2 == 0 ? inFlight : seed % 1e22), seed);
        if (kind == 0) act(address(executor), again, 4);
        if (kind == 1) act(address(accomplice), abi.encodeCall(Accomplice.forward, (address(executor), again)), 4);
        if (kind == 2) act(address(router), reentry(order), 9);
        if (kind == 3) act(address(executor), abi.encodeCall(IExecutor.execute, (x, inFlight, x, self, address(executor), "")), 9);
        if (kind == 4) act(x, abi.encodeCall(TestToken.transferFrom, (people[3], self, 1)), 1);
        if (kind == 5) act(x, abi.encodeCall(TestToken.transferFrom, (address(executor), self, 1)), 3);
        if (kind == 6) act(x, abi.encodeCall(TestToken.transferFrom, (address(router), self, 1)), 3);
        if (kind == 7) act(x, abi.encodeCall(TestToken.transferFrom, (order.payer, self, 1)), 1);
    }

    function act(address target, bytes memory data, uint256 number) private {
        hostile.add(target, data);
        _forbidden.push(number);
    }

    function checkActs() private {
        for (uint256 i = 0; i < hostile.played(); i++) {
            uint256 number = _forbidden[i % _forbidden.length];
            if (number != 0 && hostile.succeeded(i)) fail(number);
            if (number == 9) done["reentry tried"]++;
            if (number == 4) done["callback tried"]++;
        }
    }

    /// A call into one of the two contracts that must fail while a swap runs.
    function intrusion(Order memory order, uint256 seed) private returns (address, bytes memory) {
        uint256 kind = seed % 3;
        if (kind == 0) return (address(router), reentry(order));
        if (kind == 1) return (address(executor), callback(int256(order.amountIn), seed));
        address x = tokens[seed >> 8 & 1];
        return (address(executor), abi.encodeCall(IExecutor.execute, (x, order.amountIn, x, people[0], address(executor), "")));
    }

    /// The payment callback, under one of the forks' names.
    function callback(int256 amount, uint256 seed) private pure returns (bytes memory) {
        string[4] memory names = [
            "uniswapV3SwapCallback",
            "hyperswapV3SwapCallback",
            "pancakeV3SwapCallback",
            "algebraSwapCallback"
        ];
        string memory name = names[(seed >> 200) % 4];
        return abi.encodeWithSignature(string.concat(name, "(int256,int256,bytes)"), amount, amount, "");
    }

    /// Another swap, by any entry point.
    function reentry(Order memory order) private returns (bytes memory) {
        Order memory again = Order(
            order.payer, tokens[0], 1e18, tokens[1], 1, order.receiver, order.entry, order.key, order.executor, address(0)
        );
        return encode(again, drawRoute(again, 1));
    }
}
