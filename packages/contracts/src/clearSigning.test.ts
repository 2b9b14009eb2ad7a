import { parseAbiItem, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { clearSigningDescriptor, routerAbi } from './index.js'

const router = { chainId: 999, address: `0x${'ab'.repeat(20)}` } as const
const descriptor = clearSigningDescriptor([router])
const formats = Object.entries(descriptor.display.formats)

function argumentsOf(signature: string): readonly string[] {
  const item = parseAbiItem(`function ${signature}`)
  if (item.type !== 'function') return []
  return item.inputs.flatMap((input) =>
    'components' in input
      ? input.components.map(({ name }) => `${input.name}.${name}`)
      : [input.name ?? ''],
  )
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
      // Every entry point must show the amounts, the receiver, the time, and who is called and paid.
      expect(tokens).toEqual(['order.tokenIn', 'order.tokenOut'])
      const shown = ['amountIn', 'minAmountOut', 'receiver', 'deadline', 'executor', 'payee']
      expect(paths).toEqual(shown.map((name) => `order.${name}`))
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
