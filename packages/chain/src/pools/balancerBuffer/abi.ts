import { toEventSelector, toFunctionSelector } from 'viem'

/** The getters of the vault about a buffer, by name; each takes the wrapped token. */
export const ABOUT_BUFFER = {
  getBufferAsset: toFunctionSelector('function getBufferAsset(address)'),
  getBufferBalance: toFunctionSelector('function getBufferBalance(address)'),
}

/** The getters of the vault about all buffers, by name. */
export const OF_VAULT = {
  areBuffersPaused: toFunctionSelector('function areBuffersPaused()'),
  getMinimumWrapAmount: toFunctionSelector('function getMinimumWrapAmount()'),
}

/** The getters of the wrapped token, by name. */
export const OF_WRAPPED = {
  asset: toFunctionSelector('function asset()'),
  totalAssets: toFunctionSelector('function totalAssets()'),
  totalSupply: toFunctionSelector('function totalSupply()'),
}

/** `balanceOf(address)` of the asset. */
export const BALANCE_OF = toFunctionSelector('function balanceOf(address)')

/** `previewDeposit(uint256)` and `previewRedeem(uint256)` of the wrapped token. */
export const PREVIEWS = [
  toFunctionSelector('function previewDeposit(uint256)'),
  toFunctionSelector('function previewRedeem(uint256)'),
] as const

/** The first liquidity of a buffer, or more of it: wrapped token, both amounts, both balances. */
export const LIQUIDITY_ADDED_TO_BUFFER = toEventSelector(
  'event LiquidityAddedToBuffer(address,uint256,uint256,bytes32)',
)
