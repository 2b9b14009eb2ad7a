// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {DeployPermit2} from "permit2/test/utils/DeployPermit2.sol";
import {MockERC20} from "solmate/src/test/utils/mocks/MockERC20.sol";
import {IRouter} from "../src/interfaces/IRouter.sol";
import {Tokens} from "../src/libraries/Tokens.sol";
import {TestToken} from "../src/testing/TestToken.sol";
import {Base} from "./base/Base.sol";
import {Sign, Signing} from "./base/Sign.sol";
import {Oddity, WeirdToken} from "./hostile/WeirdToken.sol";

/// @title Paying with one signature, by the token's own permit and by Permit2.
contract PermitsTest is Base {
    uint256 internal constant AMOUNT = 1e18;
    address internal permit2;
    uint256 internal key;
    address internal ann;
    /// An EIP-2612 token, and a pair that sells B for it.
    address internal p;
    address internal pairPB;
    bytes internal pb;

    function setUp() public override {
        super.setUp();
        (ann, key) = makeAddrAndKey("ann");
        permit2 = new DeployPermit2().run();
        p = address(new MockERC20("Permit", "PMT", 18));
        pairPB = createV2(p, 1_000e18, b, 1_000e18);
        pb = hopV2(pairPB, p);
        give(p, ann, 10e18);
        vm.prank(ann);
        TestToken(p).approve(permit2, type(uint256).max);
    }

    function signing() private view returns (Signing memory) {
        return Signing(p, AMOUNT, address(router), 7, block.timestamp);
    }

    function byPermit(address caller, bytes memory signature) private returns (uint256) {
        vm.prank(caller);
        return router.swapWithPermit(order(p, AMOUNT, b, 1, bob, block.timestamp, pb), pb, signature);
    }

    function byPermit2(address caller, bytes memory signature) private returns (uint256) {
        vm.prank(caller);
        return router.swapWithPermit2(order(p, AMOUNT, b, 1, bob, block.timestamp, pb), pb, 7, signature);
    }

    function expectNotAllowed(address payer) private {
        vm.expectRevert(
            abi.encodeWithSelector(Tokens.TransferFailed.selector, p, payer, pairPB, AMOUNT)
        );
    }

    function test_permitPaysExactlyOnce() public {
        uint256 expected = quoteV2(pairPB, p, AMOUNT);
        bytes memory signature = Sign.permit(key, signing());
        vm.expectEmit(address(router));
        emit IRouter.Swap(ann, bob, p, b, AMOUNT, expected);
        assertEq(byPermit(ann, signature), expected);
        assertEq(balance(b, bob), expected);
        assertEq(balance(p, ann), 9e18);
        assertEq(TestToken(p).allowance(ann, address(router)), 0);
        expectNotAllowed(ann);
        byPermit(ann, signature);
        assertEq(balance(p, ann), 9e18);
    }

    function test_permit2PaysExactlyOnce() public {
        uint256 expected = quoteV2(pairPB, p, AMOUNT);
        bytes memory signature = Sign.permit2(key, signing());
        vm.expectEmit(address(router));
        emit IRouter.Swap(ann, bob, p, b, AMOUNT, expected);
        assertEq(byPermit2(ann, signature), expected);
        assertEq(balance(b, bob), expected);
        assertEq(balance(p, ann), 9e18);
        assertEq(TestToken(p).allowance(ann, address(router)), 0);
        vm.expectRevert(abi.encodeWithSignature("InvalidNonce()"));
        byPermit2(ann, signature);
        assertEq(balance(p, ann), 9e18);
    }

    /// Anyone who sees a permit may submit it to the token first; the swap still succeeds.
    function test_permitShownBySomebodyElse() public {
        bytes memory signature = Sign.permit(key, signing());
        (bytes32 r, bytes32 s, uint8 v) = split(signature);
        (bool ok,) = p.call(
            abi.encodeWithSignature(
                "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
                ann, address(router), AMOUNT, block.timestamp, v, r, s
            )
        );
        assertTrue(ok);
        assertEq(byPermit(ann, signature), balance(b, bob));
    }

    /// A signature is valid only in its signer's own call.
    function test_invariant01_strangersCannotUseASignature() public {
        bytes memory signature = Sign.permit(key, signing());
        expectNotAllowed(alice);
        byPermit(alice, signature);
        signature = Sign.permit2(key, signing());
        vm.expectRevert(abi.encodeWithSignature("InvalidSigner()"));
        byPermit2(alice, signature);
        give(p, alice, 10e18);
        vm.prank(alice);
        TestToken(p).approve(permit2, type(uint256).max);
        vm.expectRevert(abi.encodeWithSignature("InvalidSigner()"));
        byPermit2(alice, signature);
        assertEq(balance(p, ann), 10e18);
    }

    /// Changes each signed field in turn.
    function test_refusesWhatWasNotSigned() public {
        for (uint256 field = 0; field < 5; field++) {
            Signing memory what = signing();
            if (field == 0) what.amount--;
            if (field == 1) what.amount++;
            if (field == 2) what.spender = address(executor);
            if (field == 3) what.deadline++;
            if (field == 4) what.nonce++;
            bytes memory signature = Sign.permit2(key, what);
            vm.expectRevert(abi.encodeWithSignature("InvalidSigner()"));
            byPermit2(ann, signature);
            // The token's permit has its own nonce.
            if (field == 4) continue;
            signature = Sign.permit(key, what);
            expectNotAllowed(ann);
            byPermit(ann, signature);
        }
        assertEq(balance(p, ann), 10e18);
    }

    function test_refusesSignaturesOfAnotherLength() public {
        bytes memory signature = Sign.permit(key, signing());
        bytes[3] memory others = [bytes(""), bytes.concat(signature, hex"00"), cut(signature, 64)];
        for (uint256 i = 0; i < others.length; i++) {
            vm.expectRevert(
                abi.encodeWithSelector(Tokens.BadSignatureLength.selector, others[i].length)
            );
            byPermit(ann, others[i]);
        }
        vm.expectRevert(abi.encodeWithSignature("InvalidSignatureLength()"));
        byPermit2(ann, "");
    }

    /// The wrapped token returns success for every call, so its "permit" allows nothing.
    function test_aTokenWithoutPermitNeedsAnApproval() public {
        give(whype, alice, AMOUNT);
        bytes memory signature = new bytes(65);
        vm.expectRevert(
            abi.encodeWithSelector(
                Tokens.TransferFailed.selector, whype, alice, address(executor), AMOUNT
            )
        );
        vm.prank(alice);
        router.swapWithPermit(order(whype, AMOUNT, NATIVE, 1, alice, block.timestamp, ""), "", signature);
        vm.startPrank(alice);
        TestToken(whype).approve(address(router), AMOUNT);
        router.swapWithPermit(order(whype, AMOUNT, NATIVE, 1, alice, block.timestamp, ""), "", signature);
    }

    function test_theNativeTokenNeedsNoPermit() public {
        bytes memory wrong = abi.encodeWithSelector(IRouter.WrongValue.selector, AMOUNT, 0);
        vm.startPrank(ann);
        vm.expectRevert(wrong);
        router.swapWithPermit(order(NATIVE, AMOUNT, b, 1, ann, block.timestamp, pb), pb, new bytes(65));
        vm.expectRevert(wrong);
        router.swapWithPermit2(order(NATIVE, AMOUNT, b, 1, ann, block.timestamp, pb), pb, 0, new bytes(65));
        // Neither function is payable, because the value would be lost.
        deal(ann, 1);
        bytes memory data = abi.encodeCall(
            IRouter.swapWithPermit, (order(p, AMOUNT, b, 1, ann, block.timestamp, pb), pb, new bytes(65))
        );
        (bool ok,) = address(router).call{value: 1}(data);
        assertFalse(ok);
        data = abi.encodeCall(
            IRouter.swapWithPermit2, (order(p, AMOUNT, b, 1, ann, block.timestamp, pb), pb, 0, new bytes(65))
        );
        (ok,) = address(router).call{value: 1}(data);
        assertFalse(ok);
    }

    /// With a permit, the router pulls once. With Permit2, only Permit2 pulls, once.
    function test_invariant02_oneTransferFrom() public {
        bytes memory pull =
            abi.encodeCall(TestToken.transferFrom, (ann, pairPB, AMOUNT));
        bytes memory permitted = Sign.permit(key, signing());
        vm.expectCall(p, pull, 2);
        vm.expectCall(p, abi.encodeWithSelector(TestToken.transferFrom.selector), 2);
        vm.expectCall(b, abi.encodeWithSelector(TestToken.transferFrom.selector), 0);
        byPermit(ann, permitted);
        byPermit2(ann, Sign.permit2(key, signing()));
    }

    /// Each way to revoke in docs/security.md ends what it names.
    function test_whatIsRevokedPaysNothing() public {
        (bytes memory byToken, bytes memory byNonce) = (Sign.permit(key, signing()), Sign.permit2(key, signing()));
        uint256 id = vm.snapshotState();
        vm.prank(ann);
        TestToken(p).approve(permit2, 0);
        vm.expectRevert("TRANSFER_FROM_FAILED");
        byPermit2(ann, byNonce);
        vm.revertToState(id);
        vm.prank(ann);
        (bool ok,) = permit2.call(abi.encodeWithSignature("invalidateUnorderedNonces(uint256,uint256)", 0, 1 << 7));
        assertTrue(ok);
        vm.expectRevert(abi.encodeWithSignature("InvalidNonce()"));
        byPermit2(ann, byNonce);
        // Another permit uses up the nonce, and the approval of the router ends with its own revocation.
        Signing memory other = signing();
        other.amount = AMOUNT + 1;
        (bytes32 r, bytes32 s, uint8 v) = split(Sign.permit(key, other));
        MockERC20(p).permit(ann, address(router), AMOUNT + 1, block.timestamp, v, r, s);
        vm.prank(ann);
        TestToken(p).approve(address(router), 0);
        expectNotAllowed(ann);
        byPermit(ann, byToken);
    }

    /// A token that takes a fee from the transfer by Permit2.
    function test_permit2RefusesFeeOnTransferIn() public {
        WeirdToken fee = new WeirdToken(Oddity.TakesFee);
        fee.mint(ann, AMOUNT);
        vm.prank(ann);
        fee.approve(permit2, AMOUNT);
        Signing memory what = signing();
        what.token = address(fee);
        bytes memory signature = Sign.permit2(key, what);
        bytes memory program = hopV3(poolAB, a);
        vm.expectRevert(
            abi.encodeWithSelector(
                IRouter.WrongAmountPulled.selector, address(fee), AMOUNT, AMOUNT * 99 / 100
            )
        );
        vm.prank(ann);
        router.swapWithPermit2(order(address(fee), AMOUNT, b, 1, ann, block.timestamp, program), program, 7, signature);
    }

    function test_chainsWithoutPermit2() public {
        bytes memory signature = Sign.permit2(key, signing());
        vm.etch(permit2, "");
        vm.expectRevert();
        byPermit2(ann, signature);
    }

    /// A contract wallet signs with EIP-1271, which Permit2 supports.
    function test_permit2ServesContractWallets() public {
        Wallet wallet = new Wallet();
        give(p, address(wallet), AMOUNT);
        vm.prank(address(wallet));
        TestToken(p).approve(permit2, AMOUNT);
        assertEq(byPermit2(address(wallet), "anything"), balance(b, bob));
    }

    /// Orders that `swap` refuses are refused by the other entry points with the same error.
    function test_ordersAreCheckedAtEveryEntry() public {
        bytes memory none = new bytes(65);
        uint256 time = block.timestamp;
        bytes memory reason = abi.encodeWithSelector(IRouter.DeadlinePassed.selector, time - 1, time);
        refuse(IRouter.swapWithPermit.selector, abi.encode(order(p, 1, b, 1, address(bob), time - 1, pb), pb, none), reason);
        reason = abi.encodeWithSelector(IRouter.AmountInZero.selector);
        refuse(IRouter.swapWithPermit.selector, abi.encode(order(p, 0, b, 1, address(bob), time, pb), pb, none), reason);
        reason = abi.encodeWithSelector(IRouter.MinAmountOutZero.selector);
        refuse(IRouter.swapWithPermit.selector, abi.encode(order(p, 1, b, 0, address(bob), time, pb), pb, none), reason);
        reason = abi.encodeWithSelector(IRouter.SameToken.selector, p);
        refuse(IRouter.swapWithPermit.selector, abi.encode(order(p, 1, p, 1, address(bob), time, pb), pb, none), reason);
        reason = abi.encodeWithSelector(IRouter.ReceiverRefused.selector, router);
        refuse(IRouter.swapWithPermit.selector, abi.encode(order(p, 1, b, 1, address(router), time, pb), pb, none), reason);
        reason = abi.encodeWithSelector(IRouter.DeadlinePassed.selector, time - 1, time);
        bytes4 other = IRouter.swapWithPermit2.selector;
        refuse(other, abi.encode(order(p, 1, b, 1, address(bob), time - 1, pb), pb, 0, none), reason);
        reason = abi.encodeWithSelector(IRouter.AmountInZero.selector);
        refuse(other, abi.encode(order(p, 0, b, 1, address(bob), time, pb), pb, 0, none), reason);
        reason = abi.encodeWithSelector(IRouter.MinAmountOutZero.selector);
        refuse(other, abi.encode(order(p, 1, b, 0, address(bob), time, pb), pb, 0, none), reason);
        reason = abi.encodeWithSelector(IRouter.SameToken.selector, p);
        refuse(other, abi.encode(order(p, 1, p, 1, address(bob), time, pb), pb, 0, none), reason);
        reason = abi.encodeWithSelector(IRouter.ReceiverRefused.selector, executor);
        refuse(other, abi.encode(order(p, 1, b, 1, address(executor), time, pb), pb, 0, none), reason);
    }

    function test_floorHoldsAtEveryEntry() public {
        uint256 expected = quoteV2(pairPB, p, AMOUNT);
        uint256 time = block.timestamp;
        bytes memory reason =
            abi.encodeWithSelector(IRouter.AmountOutTooLow.selector, expected + 1, expected);
        bytes memory data = abi.encode(order(p, AMOUNT, b, expected + 1, address(bob), time, pb), pb, Sign.permit(key, signing()));
        refuse(IRouter.swapWithPermit.selector, data, reason);
        data = abi.encode(order(p, AMOUNT, b, expected + 1, address(bob), time, pb), pb, 7, Sign.permit2(key, signing()));
        refuse(IRouter.swapWithPermit2.selector, data, reason);
    }

    function refuse(bytes4 selector, bytes memory arguments, bytes memory reason) private {
        vm.prank(ann);
        (bool ok, bytes memory got) = address(router).call(bytes.concat(selector, arguments));
        assertFalse(ok);
        assertEq(got, reason);
    }

    function split(bytes memory signature) private pure returns (bytes32 r, bytes32 s, uint8 v) {
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
    }

    function cut(bytes memory whole, uint256 length) private pure returns (bytes memory part) {
        part = bytes.concat(whole);
        assembly {
            mstore(part, length)
        }
    }
}

/// @title A contract wallet that accepts every signature.
contract Wallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }
}
