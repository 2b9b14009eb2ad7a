// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";
import {Executor} from "../src/Executor.sol";
import {Router} from "../src/Router.sol";
import {TestToken} from "../src/testing/TestToken.sol";

/// @title The published bytecode equals the tested bytecode.
contract ArtifactsTest is Test {
    /// The manifest lists the published contracts; the file of each has its name.
    function test_publishedCodeIsTheTestedCode() public view {
        string[] memory names = vm.parseJsonKeys(vm.readFile("src/generated/manifest.json"), ".code");
        assertGt(names.length, 2);
        for (uint256 i = 0; i < names.length; i++) {
            assertPublished(names[i], "Bytecode", vm.getCode(names[i]));
        }
        assertPublished("TestToken", "DeployedBytecode", type(TestToken).runtimeCode);
    }

    function test_codeFitsTheLimit() public {
        address weth = address(new TestToken());
        Router router = new Router(weth);
        assertLt(address(router).code.length, 24_576);
        assertLt(address(new Executor(address(router))).code.length, 24_576);
    }

    function assertPublished(string memory name, string memory kind, bytes memory code) private view {
        bytes memory id = bytes.concat(bytes(name));
        id[0] |= 0x20;
        string memory file = vm.readFile(string.concat("src/generated/", string(id), ".ts"));
        string memory line = string.concat("export const ", string(id), kind, " =\n  '", vm.toString(code), "'");
        assertLt(vm.indexOf(file, line), bytes(file).length, "stale: run generate");
    }
}
