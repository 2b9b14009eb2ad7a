// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IExecutor} from "../../src/interfaces/IExecutor.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {UniswapV3} from "../../src/swaps/UniswapV3.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {IV2Pair} from "../base/Amm.sol";
import {Program} from "../base/Program.sol";
import {Accomplice} from "../hostile/HostilePool.sol";
import {WatchedToken} from "../hostile/WatchedToken.sol";
import {Oddity, WeirdToken} from "../hostile/WeirdToken.sol";
import {Market} from "./Market.sol";

/// @title Everybody who may touch the router, doing whatever they like in any order.
/// @dev Each action catches its own reverts. After each one the promises are checked, and a broken
/// one is written down under its number.
contract World is Market {
    mapping(uint256 number => bool) public broken;
    /// How often each kind of action went through, so that a test can see that they do.
    mapping(string action => uint256) public done;

    struct Order {
        address payer;
        address tokenIn;
        uint256 amountIn;
        address tokenOut;
        uint256 minAmountOut;
        address receiver;
    }

    struct Act {
        uint256 kind;
        uint256 at;
    }

    /// What was held before: by people, then by the two contracts; of the tokens, then native.
    uint256[5][6] private _before;
    /// Acts of the hostile pool that must not succeed, by the promise they would break.
    uint256[] private _forbidden;

    /// Not in a constructor: pools call back while liquidity is added.
    function open() external {
        build();
    }

    /// An honest route, direct or through one token between, split over all pools.
    function trade(uint256 seed, uint256 amountIn, bool elsewhere) external {
        Order memory order = drawOrder(seed, amountIn);
        if (elsewhere) order.receiver = people[next(seed) % 3];
        (address x, address y) = (wrapped(order.tokenIn), wrapped(order.tokenOut));
        address middle = tokens[(seed >> 64) % 4];
        bytes memory program;
        if (x == y) program = Program.table();
        else if (middle == x || middle == y) program = bytes.concat(Program.table(), stage(0, x, 1, y, seed));
        else program = bytes.concat(Program.table(middle), stage(0, x, 2, middle, seed), stage(2, middle, 1, y, seed));
        if (settle(order, program, true)) done["trade"]++;
    }

    /// A route that ends in a hostile pool, which tries what it can while it is called.
    function attack(uint256 seed, uint256 amountIn, bool v3, uint24 share) external {
        Order memory order = drawOrder(seed, amountIn);
        (address x, address y) = (wrapped(order.tokenIn), wrapped(order.tokenOut));
        if (x == y) return;
        script(order, share, v3, next(seed));
        bytes memory program = bytes.concat(
            Program.table(),
            v3
                ? Program.v3(0, 1, share, address(hostile), true)
                : Program.v2(0, 1, share, address(hostile), true, 0)
        );
        program = bytes.concat(program, stage(0, x, 1, y, seed));
        if (settle(order, program, false)) {
            done["attack"]++;
            checkActs();
        }
    }

    /// A token with one oddity, in or out, which may call back while it moves.
    function odd(uint256 seed, uint256 amountIn, uint8 oddity, uint256 rate) external {
        Order memory order = drawOrder(seed, amountIn);
        if (rate % 4 == 0) weird.rebase(bound(rate, 0.5e18, 2e18));
        weird.setOddity(Oddity(oddity % 14));
        address target = seed % 2 == 0 ? address(router) : address(executor);
        weird.setCall(target, seed % 2 == 0 ? reentry(order) : callback(int256(order.amountIn)));
        address a = tokens[0];
        bytes memory program;
        bool z = isZero(weirdPair, address(weird));
        if ((seed >> 40) % 2 == 0) {
            order.tokenIn = address(weird);
            order.tokenOut = a;
            program = bytes.concat(Program.table(), Program.v2(0, 1, 0, weirdPair, z, 3000));
        } else {
            order.tokenIn = a;
            order.tokenOut = address(weird);
            program = bytes.concat(Program.table(), Program.v2(0, 1, 0, weirdPair, !z, 3000));
        }
        if (settle(order, program, false)) done["odd"]++;
        if (weird.callSucceeded()) broken[9] = true;
        weird.setOddity(Oddity.None);
        weird.rebase(1e18);
        IV2Pair(weirdPair).sync();
    }

    /// Bytes as they come.
    function noise(uint256 seed, uint256 amountIn, bytes calldata program) external {
        if (settle(drawOrder(seed, amountIn), program, false)) done["noise"]++;
    }

    /// Anybody calls anything on the two contracts, past the front door.
    function knock(uint256 seed, bytes calldata data) external {
        address attacker = people[seed % 3];
        remember(attacker);
        bytes[4] memory calls = [
            abi.encodeCall(IExecutor.execute, (tokens[0], seed, tokens[1], attacker, data)),
            callback(int256(seed)),
            bytes.concat(IRouter.swap.selector, data),
            data
        ];
        address target = seed % 5 == 0 ? address(router) : address(executor);
        vm.prank(attacker);
        (bool ok,) = target.call(calls[(seed >> 8) % 4]);
        if (ok) done["knock"]++;
        compare(address(0), address(0), address(0), 0, true);
    }

    /// Gifts, by mistake or to disturb.
    function donate(uint256 seed, uint256 amount) external {
        address to = seed % 2 == 0 ? address(router) : address(executor);
        give(tokens[(seed >> 8) % 4], to, bound(amount, 1, 1e24));
        if (seed % 7 == 0) deal(to, to.balance + bound(amount, 1, 1e24));
        done["donate"]++;
    }

    function drawOrder(uint256 seed, uint256 amountIn) private view returns (Order memory order) {
        order.payer = people[seed % 3];
        order.tokenIn = pickToken(seed >> 8);
        order.tokenOut = pickToken(seed >> 16);
        order.amountIn = (seed >> 24) % 8 == 0 ? bound(amountIn, 0, 3) : bound(amountIn, 1, 1e22);
        order.minAmountOut = (seed >> 32) % 4 == 0 ? bound(next(amountIn), 0, 1e22) : 1;
        order.receiver = order.payer;
    }

    /// Writes the hostile pool's part: it pays and is paid, and between that it tries the rest.
    function script(Order memory order, uint24 share, bool v3, uint256 seed) private {
        (address x, address y) = (wrapped(order.tokenIn), wrapped(order.tokenOut));
        uint256 inFlight = share == 0 ? order.amountIn : order.amountIn * share / 0xFFFFFF;
        hostile.clear();
        delete _forbidden;
        if (v3) act(address(executor), callback(int256(inFlight)), 0);
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
        bytes memory again = callback(int256(seed % 2 == 0 ? inFlight : seed % 1e22));
        if (kind == 0) act(address(executor), again, 4);
        if (kind == 1) act(address(accomplice), abi.encodeCall(Accomplice.forward, (address(executor), again)), 4);
        if (kind == 2) act(address(router), reentry(order), 9);
        if (kind == 3) act(address(executor), abi.encodeCall(IExecutor.execute, (x, inFlight, x, self, "")), 9);
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
            uint256 number = _forbidden[i];
            if (number != 0 && hostile.succeeded(i)) broken[number] = true;
            if (number == 9) done["reentry tried"]++;
            if (number == 4) done["callback tried"]++;
        }
    }

    function callback(int256 amount) private pure returns (bytes memory) {
        return abi.encodeCall(UniswapV3.uniswapV3SwapCallback, (amount, amount, ""));
    }

    function reentry(Order memory order) private view returns (bytes memory) {
        (address x, address y) = (tokens[0], tokens[1]);
        bytes memory program = bytes.concat(Program.table(), stage(0, x, 1, y, 1));
        return abi.encodeCall(IRouter.swap, (x, 1e18, y, 1, order.receiver, block.timestamp, program));
    }

    /// Swaps, and holds the promises against what happened.
    function settle(Order memory order, bytes memory program, bool honest) private returns (bool) {
        remember(order.payer);
        uint256 before = balance(order.tokenOut, order.receiver);
        uint256 value = order.tokenIn == NATIVE ? order.amountIn : 0;
        vm.prank(order.payer);
        try router.swap{value: value}(
            order.tokenIn, order.amountIn, order.tokenOut, order.minAmountOut, order.receiver, block.timestamp, program
        ) returns (uint256 amountOut) {
            uint256 rise = balance(order.tokenOut, order.receiver) - before;
            if (rise < order.minAmountOut || order.minAmountOut == 0) broken[5] = true;
            if (rise != amountOut) broken[8] = true;
            compare(order.payer, order.tokenIn, order.receiver, order.amountIn, honest);
            return true;
        } catch {
            return false;
        }
    }

    function remember(address payer) private {
        for (uint256 i = 0; i < 6; i++) {
            for (uint256 j = 0; j < 5; j++) {
                _before[i][j] = balance(j == 4 ? NATIVE : tokens[j], account(i));
            }
        }
        for (uint256 j = 0; j < 3; j++) {
            WatchedToken(tokens[j]).expect(payer);
        }
    }

    function compare(address payer, address tokenIn, address receiver, uint256 amountIn, bool honest) private {
        for (uint256 i = 0; i < 6; i++) {
            for (uint256 j = 0; j < 5; j++) {
                address token = j == 4 ? NATIVE : tokens[j];
                uint256 current = balance(token, account(i));
                uint256 floor = _before[i][j];
                if (account(i) == payer && token == tokenIn) floor -= amountIn;
                if (current < floor) broken[i < 4 ? 1 : 6] = true;
                // Without hostile pools nothing is left behind, and nobody gains but the receiver.
                if (honest && current > floor && account(i) != receiver) broken[6] = true;
            }
        }
        for (uint256 j = 0; j < 3; j++) {
            WatchedToken token = WatchedToken(tokens[j]);
            if (token.wrongPayer()) broken[1] = true;
            if (token.executorPulled() || token.pulls() > 1) broken[2] = true;
            if (token.pulls() != 0 && (tokens[j] != tokenIn || token.pulled() != amountIn)) broken[2] = true;
            if (token.executorApproved()) broken[3] = true;
        }
    }

    function account(uint256 i) private view returns (address) {
        if (i < 4) return people[i];
        return i == 4 ? address(router) : address(executor);
    }
}
