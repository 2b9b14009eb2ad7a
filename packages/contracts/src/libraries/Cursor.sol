// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Reading big-endian integers off a program, never past its end.
library Cursor {
    /// @notice `size` bytes were wanted at `offset` of a program of `length` bytes.
    error ProgramTruncated(uint256 offset, uint256 size, uint256 length);

    /// @notice The unsigned integer in the `size` (1 to 32) bytes at `offset`, and the offset after it.
    function read(
        bytes calldata program,
        uint256 offset,
        uint256 size
    ) internal pure returns (uint256 value, uint256 next) {
        // Offsets start at 0 and grow by at most 32 up to a real length, so the sum cannot wrap.
        next = offset + size;
        if (next > program.length) revert ProgramTruncated(offset, size, program.length);
        value = uint256(bytes32(program[offset:next])) >> (256 - 8 * size);
    }
}
