export {
  /** An ERC-20 anyone may mint; `initialize` names it once. */
  testTokenAbi,
  /** Creation code; the constructor takes nothing. */
  testTokenBytecode,
  /** Runtime code, to be placed at any address of a test chain. */
  testTokenDeployedBytecode,
} from './generated/testToken.js'
