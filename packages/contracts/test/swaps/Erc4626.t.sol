// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20 as OzERC20} from "openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626 as OzERC4626, IERC20 as IOzERC20} from "openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ERC20 as SolmateERC20} from "solmate/src/tokens/ERC20.sol";
import {ERC4626 as SolmateERC4626} from "solmate/src/mixins/ERC4626.sol";
import {Erc4626} from "../../src/swaps/Erc4626.sol";
import {TestToken} from "../../src/testing/TestToken.sol";
import {Base} from "../base/Base.sol";
import {Program} from "../base/Program.sol";

contract OzVault is OzERC4626 {
    uint8 private immutable _offset;

    constructor(address asset, uint8 offset) OzERC4626(IOzERC20(asset)) OzERC20("OZ", "OZ") {
        _offset = offset;
    }

    function _decimalsOffset() internal view override returns (uint8) {
        return _offset;
    }
}

contract SolmateVault is SolmateERC4626 {
    constructor(address asset) SolmateERC4626(SolmateERC20(asset), "SM", "SM") {}

    function totalAssets() public view override returns (uint256) {
        return asset.balanceOf(address(this));
    }
}

interface IShares {
    function totalAssets() external view returns (uint256);
    function totalSupply() external view returns (uint256);
    function balanceOf(address) external view returns (uint256);
    function approve(address, uint256) external returns (bool);
    function deposit(uint256, address) external returns (uint256);
}

/// @title The hop through vaults: the code of OpenZeppelin and of solmate, and contracts that pretend.
contract Erc4626Test is Base {

    function setUp() public override {
        super.setUp();
        fund(alice, a, 1e40);
    }

    function hop(address vault, bool isDeposit) private pure returns (bytes memory) {
        return bytes.concat(Program.table(), Program.erc4626(0, 1, 0, vault, isDeposit));
    }

    /// The vault, and its virtual shares and assets.
    function create(uint8 kind) private returns (address vault, uint256 shares, uint256 assets) {
        if (kind == 0) return (address(new SolmateVault(a)), 0, 0);
        uint8 offset = (kind - 1) * 6;
        return (address(new OzVault(a, offset)), 10 ** uint256(offset), 1);
    }

    function seed(address vault, uint256 amount, uint256 donation) private {
        give(a, address(this), amount);
        TestToken(a).approve(vault, amount);
        IShares(vault).deposit(amount, bob);
        give(a, vault, donation);
    }

    /// Exact to the wei for any vault, deposit and donation, both ways; no approval remains.
    function testFuzz_paysTheFormula(uint8 kind, uint256 amount, uint256 donation, uint256 amountIn) public {
        (address vault, uint256 shares, uint256 assets) = create(uint8(bound(kind, 0, 4)));
        seed(vault, bound(amount, 1, 1e26), bound(donation, 0, 1e26));
        amountIn = bound(amountIn, 1, 1e26);
        uint256 supply = IShares(vault).totalSupply() + shares;
        uint256 total = IShares(vault).totalAssets() + assets;
        uint256 expected = amountIn * supply / total;
        if (expected == 0) vm.expectRevert();
        uint256 minted = swap(a, amountIn, vault, hop(vault, true));
        if (expected == 0) return;
        assertEq(minted, expected, "shares");
        assertEq(IShares(vault).totalAssets(), total - assets + amountIn, "assets after");
        assertEq(IShares(vault).totalSupply(), supply - shares + minted, "supply after");
        assertEq(TestToken(a).allowance(address(executor), vault), 0, "still approved");

        expected = minted * (total + amountIn) / (supply + minted);
        vm.prank(alice);
        IShares(vault).approve(address(router), minted);
        if (expected == 0) vm.expectRevert();
        uint256 paid = swap(vault, minted, a, hop(vault, false));
        if (expected != 0) assertEq(paid, expected, "assets");
        assertEq(IShares(vault).balanceOf(address(executor)), 0, "executor holds shares");
        assertEmpty();
    }

    /// The wrapped native token is not a vault, although its fallback accepts every call.
    function test_refusesTheWrappedToken() public {
        bytes memory program = hop(whype, true);
        vm.expectRevert(abi.encodeWithSelector(Erc4626.VaultTookOther.selector, whype, 1e18, 0));
        swap(a, 1e18, b, program);
    }

    /// A vault burns its caller's shares, no matter which token the hop names. A token that mirrors the
    /// balance of the shares would turn a gift of shares into the hop's input.
    function test_invariant06_redeemsOnlyTheSharesOfItsHop() public {
        address vault = address(new OzVault(a, 0));
        seed(vault, 5e18, 0);
        vm.prank(bob);
        TestToken(vault).transfer(address(executor), 1e18);
        address mirror = address(new MirrorToken(vault));
        vm.expectRevert(abi.encodeWithSelector(Erc4626.NotItsShares.selector, vault, mirror));
        swap(mirror, 1e18, a, hop(vault, false));
        assertEq(TestToken(vault).balanceOf(address(executor)), 1e18, "the gift");
    }

    /// The approval is exactly the hop's amount, and is revoked even if all of it was used.
    function test_invariant03_approvesExactlyAndTakesItBack() public {
        address vault = address(new OzVault(a, 0));
        seed(vault, 5e18, 0);
        vm.expectCall(a, abi.encodeCall(TestToken.approve, (vault, 1e18)), 1);
        vm.expectCall(a, abi.encodeCall(TestToken.approve, (vault, 0)), 1);
        swap(a, 1e18, vault, hop(vault, true));
    }

    /// A vault pays its output, shares or assets, directly to a pair that sells all of it.
    function test_passesOnToAPair() public {
        address vault = address(new OzVault(a, 0));
        seed(vault, 5e18, 1e18);
        uint256 expected = quoteV2(pairAB, a, 1e18);
        bytes memory program = bytes.concat(
            Program.table(vault, a),
            Program.erc4626(0, 2, 0, vault, true),
            Program.erc4626(2, 3, 0, vault, false),
            Program.v2(3, 1, 0, pairAB, isZero(pairAB, a), 3000)
        );
        assertApproxEqAbs(swap(a, 1e18, b, program), expected, 4, "a wei lost in and one out, at price 2");
        assertEq(TestToken(vault).balanceOf(address(executor)), 0);
        assertEmpty();
    }
}

/// @title A token whose balances are those of another token plus what was received.
contract MirrorToken {
    address private immutable _other;
    mapping(address owner => uint256 amount) private _sent;

    constructor(address other) {
        _other = other;
    }

    function balanceOf(address owner) external view returns (uint256) {
        return TestToken(_other).balanceOf(owner) + _sent[owner];
    }

    function transferFrom(address, address to, uint256 amount) external returns (bool) {
        _sent[to] += amount;
        return true;
    }
}
