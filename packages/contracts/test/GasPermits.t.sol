// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {DeployPermit2} from "permit2/test/utils/DeployPermit2.sol";
import {MockERC20} from "solmate/src/test/utils/mocks/MockERC20.sol";
import {TestToken} from "../src/testing/TestToken.sol";
import {Base} from "./base/Base.sol";
import {Sign, Signing} from "./base/Sign.sol";

/// @title Gas of the three payment methods for one token: approval, permit and Permit2.
/// forge-config: default.isolate = true
contract GasTestPermits is Base {
    function test_gasOfPermits() public {
        new DeployPermit2().run();
        (address ann, uint256 key) = makeAddrAndKey("ann");
        address p = address(new MockERC20("Permit", "PMT", 18));
        bytes memory program = hopV2(createV2(p, 1_000e18, b, 1_000e18), p);
        give(p, ann, 10e18);
        give(b, ann, 1);
        vm.startPrank(ann);
        TestToken(p).approve(address(router), type(uint256).max);
        TestToken(p).approve(Sign.PERMIT2, type(uint256).max);
        router.swap(order(p, 1e18, b, 1, ann, block.timestamp, program), program);
        vm.snapshotGasLastCall("payments", "approval");
        Signing memory what = Signing(p, 1e18, address(router), 1, block.timestamp);
        bytes memory signature = Sign.permit2(key, what);
        router.swapWithPermit2(order(p, 1e18, b, 1, ann, block.timestamp, program), program, 1, signature);
        vm.snapshotGasLastCall("payments", "permit2");
        // One signature, and no approval before or after it.
        TestToken(p).approve(address(router), 0);
        signature = Sign.permit(key, what);
        router.swapWithPermit(order(p, 1e18, b, 1, ann, block.timestamp, program), program, signature);
        vm.snapshotGasLastCall("payments", "permit");
    }
}
