import type { UniswapV4Pool } from './pool.js'

const PPM = 1_000_000

/**
 * The fee of a swap in parts per million of the input: the protocol's fee, and the liquidity providers'
 * fee on what that leaves. ProtocolFeeLibrary.calculateSwapFee, v4-core@1.0.2
 */
export function swapFeePpm(
  { lpFeePpm, protocolFeesPpm }: Pick<UniswapV4Pool, 'lpFeePpm' | 'protocolFeesPpm'>,
  zeroForOne: boolean,
): number {
  const protocolFee = protocolFeesPpm[zeroForOne ? 0 : 1]
  return protocolFee + lpFeePpm - Math.floor((protocolFee * lpFeePpm) / PPM)
}
