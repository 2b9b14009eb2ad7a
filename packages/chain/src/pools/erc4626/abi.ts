import { toEventSelector, toFunctionSelector } from 'viem'

/** `asset()`: the token that the vault accepts and pays out. */
export const ASSET = toFunctionSelector('function asset()')
/** `totalAssets()`, in wei of the asset. */
export const TOTAL_ASSETS = toFunctionSelector('function totalAssets()')
/** `totalSupply()` of shares. */
export const TOTAL_SUPPLY = toFunctionSelector('function totalSupply()')
/** `maxDeposit(address)`: the most assets that can be deposited now. */
export const MAX_DEPOSIT = toFunctionSelector('function maxDeposit(address)')
/** `previewDeposit(uint256)`: shares for assets. */
export const PREVIEW_DEPOSIT = toFunctionSelector('function previewDeposit(uint256)')
/** `previewRedeem(uint256)`: assets for shares. */
export const PREVIEW_REDEEM = toFunctionSelector('function previewRedeem(uint256)')
/** `balanceOf(address)` of the asset. */
export const BALANCE_OF = toFunctionSelector('function balanceOf(address)')

/** Approvals of shares: they do not change what the vault pays. */
export const IGNORED_TOPICS = [toEventSelector('event Approval(address,address,uint256)')]
