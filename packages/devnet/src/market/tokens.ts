import { testTokenAbi, testTokenDeployedBytecode } from '@braid-swap/contracts/testing'
import type { Address } from '@braid-swap/core'
import { encodeFunctionData, keccak256, toHex } from 'viem'
import type { Chain } from '../node/chain.js'

/** A token to create; its address is derived from its symbol if it is absent. */
export type TokenSpec = {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly address?: Address
}

/** A token on the chain. */
export type DevnetToken = Required<TokenSpec>

/** Creates tokens that anyone may mint, at their own addresses if they state one. */
export async function createTokens(
  chain: Chain,
  specs: readonly TokenSpec[],
): Promise<readonly DevnetToken[]> {
  const tokens = specs.map((spec) => ({ ...spec, address: spec.address ?? addressOf(spec) }))
  await Promise.all(
    tokens.map(({ address }) =>
      chain.client.setCode({ address, bytecode: testTokenDeployedBytecode }),
    ),
  )
  await chain.execute(
    tokens.map(({ address, symbol, name, decimals }) => ({
      label: `initialize ${symbol}`,
      from: chain.deployer,
      to: address,
      data: encodeFunctionData({
        abi: testTokenAbi,
        functionName: 'initialize',
        args: [name, symbol, decimals],
      }),
      gas: 250_000n,
    })),
  )
  return tokens
}

function addressOf(spec: TokenSpec): Address {
  return `0x${keccak256(toHex(`${spec.symbol} ${spec.name} ${spec.decimals}`)).slice(-40)}`
}
