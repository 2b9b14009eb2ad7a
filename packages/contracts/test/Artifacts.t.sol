// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {Executor} from "../src/Executor.sol";
import {Router} from "../src/Router.sol";
import {CamelotFactoryDouble} from "../src/testing/CamelotDouble.sol";
import {CurveCryptoFactoryDouble} from "../src/testing/CurveCryptoDouble.sol";
import {CurveFactoryDouble} from "../src/testing/CurveStableSwapDouble.sol";
import {LadderFactoryDouble} from "../src/testing/LadderDouble.sol";
import {LiquidityBookFactoryDouble} from "../src/testing/LiquidityBookDouble.sol";
import {PancakeV3PoolDeployer} from "../src/testing/PancakeV3PoolDeployer.sol";
import {PoolCaller} from "../src/testing/PoolCaller.sol";
import {SolidlyFactoryDouble} from "../src/testing/SolidlyDouble.sol";
import {StexFactoryDouble} from "../src/testing/StexDouble.sol";
import {TestToken} from "../src/testing/TestToken.sol";

/// @title The published bytecode equals the tested bytecode.
contract ArtifactsTest is Test {
    function test_publishedCodeIsTheTestedCode() public view {
        assertPublished("router", "Bytecode", type(Router).creationCode);
        assertPublished("executor", "Bytecode", type(Executor).creationCode);
        assertPublished("testToken", "Bytecode", type(TestToken).creationCode);
        assertPublished("testToken", "DeployedBytecode", type(TestToken).runtimeCode);
        bytes memory deployer = type(PancakeV3PoolDeployer).creationCode;
        assertPublished("pancakeV3PoolDeployer", "Bytecode", deployer);
        assertPublished("poolCaller", "Bytecode", type(PoolCaller).creationCode);
        assertPublished("solidlyFactoryDouble", "Bytecode", type(SolidlyFactoryDouble).creationCode);
        assertPublished("camelotFactoryDouble", "Bytecode", type(CamelotFactoryDouble).creationCode);
        assertPublished("curveCryptoFactoryDouble", "Bytecode", type(CurveCryptoFactoryDouble).creationCode);
        assertPublished("curveFactoryDouble", "Bytecode", type(CurveFactoryDouble).creationCode);
        assertPublished("ladderFactoryDouble", "Bytecode", type(LadderFactoryDouble).creationCode);
        assertPublished("stexFactoryDouble", "Bytecode", type(StexFactoryDouble).creationCode);
        assertPublished("liquidityBookFactoryDouble", "Bytecode", type(LiquidityBookFactoryDouble).creationCode);
    }

    function test_codeFitsTheLimit() public {
        address weth = address(new TestToken());
        Router router = new Router(weth);
        assertLt(address(router).code.length, 24_576);
        assertLt(address(new Executor(address(router))).code.length, 24_576);
    }

    function assertPublished(string memory id, string memory kind, bytes memory code) private view {
        string memory file = vm.readFile(string.concat("src/generated/", id, ".ts"));
        string memory line =
            string.concat("export const ", id, kind, " =\n  '", vm.toString(code), "'");
        assertLt(vm.indexOf(file, line), bytes(file).length, "stale: run generate");
    }
}
