import { toEventSelector, toFunctionSelector } from 'viem'

/** `balances(uint256)` of a pool. */
export const BALANCES = toFunctionSelector('function balances(uint256)')
/** `precisions()` of a pool: as many words as it has coins. */
export const PRECISIONS = toFunctionSelector('function precisions()')
/** `price_scale()` of a pool of two coins. */
export const PRICE_SCALE = toFunctionSelector('function price_scale()')
/** `price_scale(uint256)` of a pool of three. */
export const PRICE_SCALE_AT = toFunctionSelector('function price_scale(uint256)')
/** `version()` of a pool: a text. */
export const VERSION = toFunctionSelector('function version()')

/** The getters of one word, by name. */
export const OF_POOL = {
  A: toFunctionSelector('function A()'),
  gamma: toFunctionSelector('function gamma()'),
  D: toFunctionSelector('function D()'),
  mid_fee: toFunctionSelector('function mid_fee()'),
  out_fee: toFunctionSelector('function out_fee()'),
  fee_gamma: toFunctionSelector('function fee_gamma()'),
  virtual_price: toFunctionSelector('function virtual_price()'),
  totalSupply: toFunctionSelector('function totalSupply()'),
  xcp_profit: toFunctionSelector('function xcp_profit()'),
  allowed_extra_profit: toFunctionSelector('function allowed_extra_profit()'),
  initial_A_gamma: toFunctionSelector('function initial_A_gamma()'),
  future_A_gamma: toFunctionSelector('function future_A_gamma()'),
  initial_A_gamma_time: toFunctionSelector('function initial_A_gamma_time()'),
  future_A_gamma_time: toFunctionSelector('function future_A_gamma_time()'),
  MATH: toFunctionSelector('function MATH()'),
}

/** `fee_calc(uint256[n])`: the pool's own fee at scaled balances, for two and three coins. */
export const FEE_CALC = {
  2: toFunctionSelector('function fee_calc(uint256[2])'),
  3: toFunctionSelector('function fee_calc(uint256[3])'),
}
/** `get_virtual_price()`: what a share is worth now, by the pool's own formula. */
export const SHARE_VALUE = toFunctionSelector('function get_virtual_price()')
/** `get_y(uint256 A, uint256 gamma, uint256[2] x, uint256 D, uint256 i)` of the mathematics of two coins. */
export const GET_Y = toFunctionSelector(
  'function get_y(uint256,uint256,uint256[2],uint256,uint256)',
)
/** `get_dy(uint256,uint256,uint256)`: the pool's own quote. */
export const GET_DY = toFunctionSelector('function get_dy(uint256,uint256,uint256)')

/** A swap: buyer, coin and amount in, coin and amount out, the fee, the price scales after it. */
export const TOKEN_EXCHANGE = toEventSelector(
  'event TokenExchange(address,uint256,uint256,uint256,uint256,uint256,uint256)',
)
