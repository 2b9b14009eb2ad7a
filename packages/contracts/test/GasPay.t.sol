// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Base} from "./base/Base.sol";
import {Program} from "./base/Program.sol";

/// @title Gas of an integrator's fee: the same swap without one, and with one of each token.
/// forge-config: default.isolate = true
contract GasTestPay is Base {
    function test_gasOfFees() public {
        fund(alice, a, 10_000e18);
        address payee = makeAddr("integrator");
        bytes memory hop = Program.v3(0, 1, 0, poolAB, isZero(poolAB, a));
        swap(a, 1e18, b, bytes.concat(Program.table(), hop));
        measure("none", bytes.concat(Program.table(), hop));
        measure("of the token in", bytes.concat(Program.table(), Program.pay(0, 3_000, payee), hop));
        measure("of the token out", bytes.concat(Program.table(), hop, Program.pay(1, 3_000, payee)));
        give(a, payee, 1);
        give(b, payee, 1);
        measure("of the token in, again", bytes.concat(Program.table(), Program.pay(0, 3_000, payee), hop));
        measure("of the token out, again", bytes.concat(Program.table(), hop, Program.pay(1, 3_000, payee)));
        bytes memory pair = Program.v2(0, 1, 0, pairAB, isZero(pairAB, a), 3000);
        swap(a, 1e18, b, bytes.concat(Program.table(), pair));
        measure("none, to a pair", bytes.concat(Program.table(), pair));
        measure("of the token in, to a pair", bytes.concat(Program.table(), Program.pay(0, 3_000, payee), pair));
    }

    function measure(string memory name, bytes memory program) private {
        uint256 id = vm.snapshotState();
        swap(a, 1e18, b, program);
        vm.snapshotGasLastCall("fees", name);
        vm.revertToState(id);
    }
}
