import { parseAbiItem, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { clearSigningDescriptor, routerAbi } from './index.js'

const router = { chainId: 999, address: `0x${'ab'.repeat(20)}` } as const
const descriptor = clearSigningDescriptor([router])
const formats = Object.entries(descriptor.display.formats)

function argumentsOf(signature: string): readonly string[] {
  const item = parseAbiItem(`function ${signature}`)
  return item.type === 'function' ? item.inputs.map(({ name }) => name ?? '') : []
}

describe('the clear-signing descriptor', () => {
  it('describes every function of the router that changes state, and nothing else', () => {
    const described = formats.map(([signature]) => toFunctionSelector(signature))
    const entries = routerAbi.flatMap((item) =>
      item.type === 'function' && item.stateMutability !== 'view' ? [item] : [],
    )
    expect(described.sort()).toEqual(entries.map((entry) => toFunctionSelector(entry)).sort())
  })

  it('shows or excludes every argument and names no other', () => {
    for (const [signature, { fields, required, excluded }] of formats) {
      const names = argumentsOf(signature)
      const tokens = fields.flatMap(({ params }) =>
        'tokenPath' in params ? [params.tokenPath] : [],
      )
      const paths = fields.map(({ path }) => path)
      expect([...paths, ...tokens, ...excluded].sort()).toEqual([...names].sort())
      // Every entry point must show the amounts, the receiver and the time.
      expect(tokens).toEqual(['tokenIn', 'tokenOut'])
      expect(paths).toEqual(['amountIn', 'minAmountOut', 'receiver', 'deadline'])
      expect(required).toEqual(paths)
    }
  })

  it('is plain JSON and names the deployments with their checksum', () => {
    expect(JSON.parse(JSON.stringify(descriptor))).toEqual(descriptor)
    expect(descriptor.context.contract.deployments).toEqual([
      { chainId: 999, address: '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB' },
    ])
  })
})
