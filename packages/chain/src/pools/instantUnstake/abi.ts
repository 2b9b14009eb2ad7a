import { toFunctionSelector } from 'viem'

/** `instantUnstakePool()` of the manager: the contract that pays, or zero if there is none. */
export const INSTANT_UNSTAKE_POOL = toFunctionSelector('function instantUnstakePool()')
/** `minWithdrawalAmount()` of the manager, in wei of the staked token. */
export const MIN_WITHDRAWAL_AMOUNT = toFunctionSelector('function minWithdrawalAmount()')
/** `withdrawalPaused()` of the manager. */
export const WITHDRAWAL_PAUSED = toFunctionSelector('function withdrawalPaused()')
/** `instantUnstakeFeeRate()` of the pool, in bips. */
export const FEE_RATE = toFunctionSelector('function instantUnstakeFeeRate()')
/** `getEffectiveBuffer()` of the pool: the most that it pays, in wei. */
export const EFFECTIVE_BUFFER = toFunctionSelector('function getEffectiveBuffer()')
/** `previewInstantUnstake(uint256)` of the pool: amount out, fee, fee in bips, and whether it has as much. */
export const PREVIEW = toFunctionSelector('function previewInstantUnstake(uint256)')
