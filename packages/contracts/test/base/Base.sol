// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Router} from "../../src/Router.sol";
import {Executor} from "../../src/Executor.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Manager} from "./Manager.sol";
import {Program} from "./Program.sol";

/// @title A small market: three tokens, the wrapped native token, and a pool of each kind.
abstract contract Base is Manager {
    address internal constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    Router internal router;
    Executor internal executor;
    address internal whype;
    address internal a;
    address internal b;
    address internal c;
    address internal pairAB;
    address internal pairBC;
    address internal pairAW;
    address internal poolAB;
    address internal poolBC;
    address internal alice = makeAddr("alice");
    address internal bob = makeAddr("bob");

    function setUp() public virtual {
        deployAmm();
        whype = deployWrappedNative();
        router = new Router(whype);
        executor = new Executor(address(router));
        a = address(new TestToken());
        b = address(new TestToken());
        c = address(new TestToken());
        pairAB = createV2(a, 1_000e18, b, 2_000e18);
        pairBC = createV2(b, 1_000e18, c, 1_000e18);
        pairAW = createV2(a, 1_000e18, whype, 1_000e18);
        poolAB = createV3(a, b, 3000, 10_000e18);
        poolBC = createV3(b, c, 500, 10_000e18);
        vm.label(a, "A");
        vm.label(b, "B");
        vm.label(c, "C");
        vm.label(whype, "WHYPE");
    }

    function give(address token, address to, uint256 amount) internal override {
        if (token != whype) return super.give(token, to, amount);
        deal(address(this), amount);
        (bool ok,) = whype.call{value: amount}("");
        require(ok && TestToken(whype).transfer(to, amount), "wrapping failed");
    }

    /// Gives `account` the amount, and approves the router for all of its tokens.
    function fund(address account, address token, uint256 amount) internal {
        if (token == NATIVE) return deal(account, account.balance + amount);
        give(token, account, amount);
        vm.prank(account);
        TestToken(token).approve(address(router), type(uint256).max);
    }

    function balance(address token, address account) internal view returns (uint256) {
        return token == NATIVE ? account.balance : TestToken(token).balanceOf(account);
    }

    /// Alice swaps for herself, with a floor of 1.
    function swap(address tokenIn, uint256 amountIn, address tokenOut, bytes memory program)
        internal
        returns (uint256)
    {
        uint256 value = tokenIn == NATIVE ? amountIn : 0;
        vm.prank(alice);
        return router.swap{value: value}(order(tokenIn, amountIn, tokenOut, 1, address(0), block.timestamp, program), program);
    }

    /// The order of a program for this executor.
    function order(
        address tokenIn,
        uint256 amountIn,
        address tokenOut,
        uint256 minAmountOut,
        address receiver,
        uint256 deadline,
        bytes memory program
    ) internal view returns (IRouter.Order memory) {
        return Program.order(
            address(executor), tokenIn, amountIn, tokenOut, minAmountOut, receiver, deadline, program
        );
    }

    /// One V2 hop of everything from the first token to the second.
    function hopV2(address pool, address tokenIn) internal view returns (bytes memory) {
        return bytes.concat(
            Program.table(), Program.v2(Program.IN, Program.OUT, Program.ALL, pool, isZero(pool, tokenIn), 3000)
        );
    }

    /// One V3 hop of everything from the first token to the second.
    function hopV3(address pool, address tokenIn) internal view returns (bytes memory) {
        return bytes.concat(
            Program.table(), Program.v3(Program.IN, Program.OUT, Program.ALL, pool, isZero(pool, tokenIn))
        );
    }

    /// Asserts that router and executor own no tokens.
    function assertEmpty() internal view {
        address[5] memory tokens = [NATIVE, whype, a, b, c];
        for (uint256 i = 0; i < tokens.length; i++) {
            assertEq(balance(tokens[i], address(router)), 0, "router holds");
            assertEq(balance(tokens[i], address(executor)), 0, "executor holds");
        }
    }
}
