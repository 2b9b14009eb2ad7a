// An afternoon on the devnet on which rivals trade: what each sold and got is known by its balances, not by logs.

import type { Address, Hex } from '@braid-swap/core'
import {
  approveCall,
  type Call,
  type Devnet,
  mintCalls,
  swapCall,
  type UniswapV2,
  type UniswapV3,
} from '@braid-swap/devnet'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'

const V3 = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Single params) payable returns (uint256)',
  'function sweepTokenWithFee(address token, uint256 least, address recipient, uint256 feeBips, address feeRecipient) payable',
  'function unwrapWETH9(uint256 least, address recipient) payable',
  'function multicall(bytes[] data) payable returns (bytes[])',
])
const NOBODY: Address = '0x0000000000000000000000000000000000000000'
const FOREVER = 2n ** 64n
export const FEE_RECIPIENT: Address = '0x00000000000000000000000000000000000000fe'

/** A sale through some fees of one deployment of Uniswap V3, each with its amount. */
export type Sale = {
  readonly from: Address
  readonly tokenIn: Address
  readonly parts: readonly {
    readonly tokenOut: Address
    readonly feePpm: number
    readonly amountIn: bigint
  }[]
}

export function openAfternoon(devnet: Devnet) {
  const tokenOf = (symbol: string) =>
    devnet.tokens.find((token) => token.symbol === symbol)!.address
  const deploymentOf = (id: string) => devnet.deployments.find(({ venue }) => venue.id === id)!
  const v3 = deploymentOf('devnet-v3a') as UniswapV3
  const v2 = deploymentOf('devnet-v2a') as UniswapV2
  const poolOf = (venue: string, symbols: readonly [string, string], feePpm: number) => {
    const tokens = symbols.map(tokenOf).sort()
    return devnet.pools.find(
      (pool) => pool.venue === venue && pool.feePpm === feePpm && `${pool.tokens}` === `${tokens}`,
    )!
  }
  return {
    ...{ tokenOf, poolOf, routerOf: (id: string) => deploymentOf(id).router },
    /** Gives an account a token and lets every venue's router take it. */
    equip: (owner: Address, token: Address, amount: bigint) =>
      devnet.execute([
        ...mintCalls(devnet.deployer, { token, to: owner, amount }),
        ...[...new Set(devnet.deployments.map(({ router }) => router))].map((spender) =>
          approveCall(token, { owner, spender }),
        ),
      ]),
    /** One pool, through its venue's router. */
    single: (
      from: Address,
      pool: ReturnType<typeof poolOf>,
      tokenIn: Address,
      amountIn: bigint,
    ): Call =>
      swapCall(deploymentOf(pool.venue), {
        ...{
          pool,
          from,
          tokenIn,
          tokenOut: pool.tokens.find((token) => token !== tokenIn)!,
          amountIn,
        },
      }),
    /** Several pools in one transaction. */
    split: (sale: Sale): Call =>
      v3Call(
        v3,
        sale.from,
        sale.parts.map((part) => singleData(sale, part, sale.from)),
      ),
    /** The same, with a part of the output for somebody else. */
    withFee: (sale: Sale, feeBps: bigint): Call =>
      v3Call(v3, sale.from, [
        ...sale.parts.map((part) => singleData(sale, part, NOBODY)),
        encodeFunctionData({
          ...{ abi: V3, functionName: 'sweepTokenWithFee' },
          args: [sale.parts[0]!.tokenOut, 0n, sale.from, feeBps, FEE_RECIPIENT],
        }),
      ]),
    /** Sells the native token itself. */
    sellNative: (sale: Sale): Call => ({
      ...v3Call(
        v3,
        sale.from,
        sale.parts.map((part) => singleData(sale, part, sale.from)),
      ),
      value: sale.parts.reduce((sum, { amountIn }) => sum + amountIn, 0n),
    }),
    /** Buys the native token itself. */
    buyNative: (sale: Sale): Call =>
      v3Call(v3, sale.from, [
        ...sale.parts.map((part) => singleData(sale, part, NOBODY)),
        encodeFunctionData({ abi: V3, functionName: 'unwrapWETH9', args: [0n, sale.from] }),
      ]),
    /** A transfer, which is no swap. */
    transfer: (from: Address, token: Address, amount: bigint, to = v2.router): Call => ({
      ...{ label: 'transfer', from, to: token, gas: 100_000n },
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [to, amount],
      }),
    }),
    /** How much more of a token an account has after a block than before it, without the gas that it paid. */
    async gained(hash: Hex, owner: Address, token: Address | 'native'): Promise<bigint> {
      const receipt = await devnet.client.getTransactionReceipt({ hash })
      const at = async (blockNumber: bigint) =>
        token === 'native'
          ? devnet.client.getBalance({ address: owner, blockNumber })
          : devnet.client.readContract({
              ...{
                address: token,
                abi: erc20Abi,
                functionName: 'balanceOf',
                args: [owner],
                blockNumber,
              },
            })
      const gas = token === 'native' ? receipt.gasUsed * receipt.effectiveGasPrice : 0n
      return (await at(receipt.blockNumber)) - (await at(receipt.blockNumber - 1n)) + gas
    },
  }
}

function singleData(
  { tokenIn }: Sale,
  { tokenOut, feePpm: fee, amountIn }: Sale['parts'][number],
  recipient: Address,
): Hex {
  const params = {
    tokenIn,
    tokenOut,
    fee,
    recipient,
    deadline: FOREVER,
    amountIn,
    amountOutMinimum: 0n,
    sqrtPriceLimitX96: 0n,
  }
  return encodeFunctionData({ abi: V3, functionName: 'exactInputSingle', args: [params] })
}

function v3Call({ router }: UniswapV3, from: Address, data: readonly Hex[]): Call {
  const multicall = encodeFunctionData({ abi: V3, functionName: 'multicall', args: [[...data]] })
  return { label: 'a rival', from, to: router, data: multicall, gas: 600_000n }
}
