/**
 * The swaps that the deployed executor performs (docs/program.md): length in bytes by opcode. A family
 * from outside has no opcode of its own, because the executor cannot be extended; it encodes its hops as
 * one of these.
 */
export const bytesOfSwap: ReadonlyMap<number, number> = new Map([
  [0x01, 25],
  [0x02, 22],
  [0x03, 22],
  [0x04, 22],
  [0x05, 22],
  [0x06, 22],
  [0x07, 22],
  [0x08, 22],
  [0x09, 22],
  [0x0a, 47],
  [0x0b, 22],
  [0x0c, 22],
  [0x0d, 22],
])
