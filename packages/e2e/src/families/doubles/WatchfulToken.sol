// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PlainToken} from "./PlainToken.sol";

/// @title A correct token that behaves where it takes a call for a simulation, and refuses or taxes every other transfer.
contract WatchfulToken is PlainToken("WATCH", "Watchful token") {
    /// What tells it of a simulation.
    enum Sign {
        // Gas costs nothing.
        FreeGas,
        // The block has no base fee.
        NoBaseFee,
        // Nobody sends the transaction.
        NoOrigin,
        // The sender has no native token.
        NoBalance,
        // The sender is not the subject.
        OtherOrigin,
        // There is more gas than a swap needs.
        MuchGas,
        // An end of the transfer has the code of a proxy, as the accounts of a test have, or none.
        ShortCode,
        // The number of the block is even.
        EvenBlock,
        // The hash of the number of the block is even.
        EvenHash,
        // Gas costs something: the reverse of a simulation, which it refuses.
        PaidGas
    }

    Sign private immutable sign;
    address private immutable subject;
    /// Of a thousand, what it keeps; 1000: it refuses.
    uint256 private immutable tax;
    address private immutable owner = msg.sender;

    constructor(Sign sign_, address subject_, uint256 tax_) {
        (sign, subject, tax) = (sign_, subject_, tax_);
    }

    function _move(address from, address to, uint256 amount) internal override {
        bool isKind = tx.origin == owner || _isSimulation(from, to);
        require(isKind || tax < 1000, "refused");
        uint256 kept = isKind ? 0 : (amount * tax) / 1000;
        held[from] -= amount;
        held[to] += amount - kept;
        emit Transfer(from, to, amount - kept);
    }

    function _isSimulation(address from, address to) private view returns (bool) {
        if (sign == Sign.FreeGas) return tx.gasprice == 0;
        if (sign == Sign.PaidGas) return tx.gasprice > 0;
        if (sign == Sign.NoBaseFee) return block.basefee == 0;
        if (sign == Sign.NoOrigin) return tx.origin == address(0);
        if (sign == Sign.NoBalance) return tx.origin.balance == 0;
        if (sign == Sign.OtherOrigin) return tx.origin != subject;
        if (sign == Sign.MuchGas) return gasleft() > 6_000_000;
        if (sign == Sign.EvenBlock) return block.number % 2 == 0;
        if (sign == Sign.EvenHash) return uint256(keccak256(abi.encode(block.number))) % 2 == 0;
        return from.code.length <= 45 || to.code.length <= 45;
    }
}
