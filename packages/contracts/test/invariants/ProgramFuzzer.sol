// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Program} from "../base/Program.sol";
import {Market} from "./Market.sol";

/// @title Sends random programs and calldata, well formed or not. Each call is cheap, so a run makes many.
/// @dev A call that reverts has changed nothing. After a call that succeeds, it checks the promises
/// that bytes could break: the victim's tokens, and the empty balances of the two contracts.
contract ProgramFuzzer is Market {
    /// Number of the first promise that broke; 0 while all hold.
    uint256 public broken;
    uint256 public served;
    uint256 private _victim;
    /// What the two contracts own: payees may be named at random, and a payment to them is a gift.
    uint256 private _gifts;
    /// Addresses that programs name as tokens or pools.
    address[] private _places;

    function open() external {
        build();
        for (uint256 i = 0; i < 4; i++) _places.push(tokens[i]);
        for (uint256 i = 0; i < pools.length; i++) _places.push(pools[i].pool);
        address[9] memory others = [
            address(router),
            address(executor),
            address(hostile),
            address(weird),
            weirdPair,
            permit2,
            people[3],
            NATIVE,
            address(0)
        ];
        for (uint256 i = 0; i < others.length; i++) _places.push(others[i]);
        _victim = wealth(people[3]);
        // The hostile pool pays a little of one token in every call.
        hostile.add(tokens[1], abi.encodeWithSignature("transfer(address,uint256)", address(executor), 5));
    }

    /// Up to four hops, of any opcode, between any tokens, through any address.
    function hops(uint256 seed, uint8 count) external {
        bytes memory program = abi.encodePacked(uint8(1), place(seed >> 8));
        // Half of them start with valid hops from the token in to the token out.
        if (seed & 1 == 0) program = bytes.concat(program, stage(0, tokens[seed % 3], 1, tokens[(seed >> 128) % 3], seed));
        uint8[] memory opcodes = Program.opcodes();
        for (uint256 i = 0; i < count % 4; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint8 opcode = seed % 16 == 0 ? uint8(seed >> 8) : opcodes[(seed >> 8) % opcodes.length];
            bytes memory hop = Program.hop(
                opcode,
                uint8((seed >> 16) % 3),
                uint8((seed >> 24) % 3),
                seed >> 32 & 1 == 0 ? 0 : uint24(seed >> 40),
                place(seed >> 64)
            );
            if (seed >> 34 & 3 == 0) hop = Program.rated(hop, uint56(seed >> 80) >> uint8(seed >> 136), int8(int256(seed >> 144)));
            program = bytes.concat(program, hop);
            // The last byte of a hop is a flag, or part of a fee or an address.
            if (seed >> 33 & 1 == 0) program[program.length - 1] = bytes1(uint8(seed >> 72) & 3);
        }
        send(seed, program);
    }

    /// Random bytes as a program.
    function scribble(uint256 seed, bytes calldata program) external {
        send(seed, program);
    }

    /// Random arguments to any entry point.
    function call(uint256 seed, uint256[11] calldata words, bytes calldata rest) external {
        bytes4[3] memory entries = [
            IRouter.swap.selector, IRouter.swapWithPermit.selector, IRouter.swapWithPermit2.selector
        ];
        IRouter.Order memory order;
        (order.tokenIn, order.amountIn) = (place(words[0]), words[1] % 1e22);
        (order.tokenOut, order.minAmountOut) = (place(words[2]), words[3] % 2);
        (order.receiver, order.deadline) = (place(words[4]), block.timestamp + words[5] % 2);
        order.executor = words[6] % 2 == 0 ? address(executor) : place(words[6]);
        order.payee = words[7] % 2 == 0 ? address(executor) : place(words[7]);
        bytes memory rests = abi.encodePacked(words[8] % 512, words[9] % 512, words[10] % 512, rest);
        bytes memory data = bytes.concat(entries[seed % 3], abi.encode(order), rests);
        knock(seed, address(router), data, true);
    }

    /// Random calldata to either contract.
    function shout(uint256 seed, bytes calldata data) external {
        knock(seed, seed >> 8 & 1 == 0 ? address(router) : address(executor), data, true);
    }

    function place(uint256 seed) private view returns (address) {
        return _places[seed % _places.length];
    }

    function send(uint256 seed, bytes memory program) private {
        (address x, address y) = (tokens[seed % 3], tokens[(seed >> 128) % 3]);
        IRouter.Order memory order =
            Program.order(address(executor), x, 1e18, y, 1, address(0), block.timestamp, program);
        if (seed >> 9 & 7 == 0) order.payee = place(seed >> 96);
        bytes memory data = abi.encodeCall(IRouter.swap, (order, program));
        if (knock(seed, address(router), data, false)) countHops(program);
    }

    /// Only the payer of a call that names any executor may leave a gift.
    function knock(uint256 seed, address target, bytes memory data, bool mayGive) private returns (bool ok) {
        address payer = people[seed % 3];
        // Limited gas, because pools of old compilers burn all of it when they revert.
        vm.prank(payer);
        (ok,) = target.call{gas: 2_000_000}(data);
        if (!ok) return false;
        served++;
        // Only these calls change balances, so the last value is the value before this call.
        uint256 current = wealth(people[3]);
        if (current < _victim) broken = 1;
        _victim = current;
        uint256 gifts = wealth(address(router)) + wealth(address(executor));
        if (gifts < _gifts || (gifts > _gifts && !mayGive)) broken = 6;
        _gifts = gifts;
    }

    /// The sum over all tokens is enough, because no action gives the account one token for another.
    function wealth(address account) private view returns (uint256 sum) {
        for (uint256 i = 0; i < 4; i++) sum += balance(tokens[i], account);
        sum += account.balance;
    }
}
