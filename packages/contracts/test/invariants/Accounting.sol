// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Program} from "../base/Program.sol";
import {Sign, Signing} from "../base/Sign.sol";
import {WatchedToken} from "../hostile/WatchedToken.sol";
import {Market} from "./Market.sol";

/// @title Sends orders to the router by every entry point, and checks the promises against all balances.
abstract contract Accounting is Market {
    /// Number of the first promise that broke; 0 while all hold.
    uint256 public broken;
    /// How often each kind of action went through, so that a test can see that they do.
    mapping(string action => uint256) public done;

    enum Entry {
        Approval,
        Permit,
        Permit2
    }

    struct Order {
        address payer;
        address tokenIn;
        uint256 amountIn;
        address tokenOut;
        uint256 minAmountOut;
        address receiver;
        Entry entry;
        /// Private key that signs the permit: the payer's, or the victim's for a stolen signature.
        uint256 key;
        address executor;
        /// Zero for the payee that the program's encoder names.
        address payee;
    }

    /// The token in of a call whose declared token and amount are unknown.
    address internal constant ANYTHING = address(1);

    /// Balances before the call: rows are the people and the two contracts, columns the tokens and native.
    uint256[5][6] private _before;
    uint256 private _nonce;

    function fail(uint256 number) internal {
        if (broken == 0) broken = number;
    }

    /// Sends an order and checks the promises.
    function settle(Order memory order, bytes memory program, bool honest) internal returns (bool ok) {
        bytes memory data = encode(order, program);
        remember(order.payer, payeeOf(order, program));
        uint256 before = balance(order.tokenOut, order.receiver);
        bytes memory answer;
        uint256 value = order.tokenIn == NATIVE ? order.amountIn : 0;
        // Limited gas, because pools of old compilers burn all of it when they revert.
        vm.prank(order.payer);
        (ok, answer) = address(router).call{value: value, gas: 5_000_000}(data);
        if (!ok) return false;
        countHops(program);
        uint256 rise = balance(order.tokenOut, order.receiver) - before;
        if (rise < order.minAmountOut || order.minAmountOut == 0) fail(5);
        if (rise != abi.decode(answer, (uint256))) fail(8);
        compare(order.payer, order.tokenIn, order.receiver, order.amountIn, honest);
        if (order.entry == Entry.Permit) approve(order.tokenIn, order.payer);
    }

    function payeeOf(Order memory o, bytes memory program) private pure returns (address) {
        return o.payee == address(0) ? Program.payee(program, o.executor) : o.payee;
    }

    /// Calldata for the order's entry point, signed with its key if the entry point takes a signature.
    function encode(Order memory o, bytes memory program) internal returns (bytes memory) {
        bytes memory head = abi.encode(
            o.tokenIn,
            o.amountIn,
            o.tokenOut,
            o.minAmountOut,
            o.receiver,
            block.timestamp,
            o.executor,
            payeeOf(o, program)
        );
        if (o.entry == Entry.Approval) {
            return bytes.concat(IRouter.swap.selector, head, tail(9, program, "", ""));
        }
        if (o.entry == Entry.Permit) {
            return bytes.concat(IRouter.swapWithPermit.selector, head, tail(10, program, "", permit(o)));
        }
        Signing memory what =
            Signing(o.tokenIn, o.amountIn, address(router), ++_nonce, block.timestamp);
        bytes memory nonce = abi.encode(_nonce);
        bytes memory signature = Sign.permit2(o.key, what);
        return bytes.concat(IRouter.swapWithPermit2.selector, head, tail(11, program, nonce, signature));
    }

    /// The arguments after the order; the head has `words` words in total.
    function tail(uint256 words, bytes memory program, bytes memory nonce, bytes memory signature)
        private
        pure
        returns (bytes memory)
    {
        bytes memory body = bytes.concat(abi.encode(program.length), padded(program));
        if (words == 9) return bytes.concat(abi.encode(words * 32), body);
        return bytes.concat(
            abi.encode(words * 32),
            nonce,
            abi.encode(words * 32 + body.length),
            body,
            abi.encode(signature.length),
            padded(signature)
        );
    }

    function padded(bytes memory data) private pure returns (bytes memory) {
        return bytes.concat(data, new bytes((32 - data.length % 32) % 32));
    }

    function permit(Order memory o) private view returns (bytes memory) {
        for (uint256 i = 0; i < 3; i++) {
            if (tokens[i] != o.tokenIn) continue;
            return Sign.sign(
                o.key,
                WatchedToken(o.tokenIn).permitDigest(
                    vm.addr(o.key), address(router), o.amountIn, block.timestamp
                )
            );
        }
        return new bytes(65);
    }

    function remember(address payer, address payee) internal {
        for (uint256 i = 0; i < 6; i++) {
            for (uint256 j = 0; j < 5; j++) {
                _before[i][j] = balance(j == 4 ? NATIVE : tokens[j], account(i));
            }
        }
        for (uint256 j = 0; j < 3; j++) {
            WatchedToken(tokens[j]).expect(payer, payee);
        }
    }

    /// The payer may have lost `amountIn` of `tokenIn`; no other account may have lost anything.
    function compare(address payer, address tokenIn, address receiver, uint256 amountIn, bool honest)
        internal
    {
        for (uint256 i = 0; i < 6; i++) {
            if (account(i) == payer && tokenIn == ANYTHING) continue;
            for (uint256 j = 0; j < 5; j++) {
                address token = j == 4 ? NATIVE : tokens[j];
                uint256 current = balance(token, account(i));
                uint256 floor = _before[i][j];
                if (account(i) == payer && token == tokenIn) floor -= amountIn;
                if (current < floor) fail(i < 4 ? 1 : 6);
                // Without hostile pools nothing is left behind, and only the receiver gains.
                if (honest && current > floor && account(i) != receiver) fail(6);
            }
        }
        if (TestToken(vault).balanceOf(address(executor)) != 0) fail(6);
        for (uint256 j = 0; j < 3; j++) {
            WatchedToken token = WatchedToken(tokens[j]);
            if (token.wrongPayer()) fail(1);
            if (token.executorPulled() || token.pulls() > 1) fail(2);
            bool declared = tokenIn == ANYTHING || (tokens[j] == tokenIn && token.pulled() == amountIn);
            if (token.pulls() != 0 && !declared) fail(2);
            if (token.executorAllows()) fail(3);
        }
    }

    function account(uint256 i) private view returns (address) {
        if (i < 4) return people[i];
        return i == 4 ? address(router) : address(executor);
    }
}
