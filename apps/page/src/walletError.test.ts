import { BaseError } from '@braid-swap/core'
import { getAddresses, sendTransaction } from 'viem/actions'
import { expect, it } from 'vitest'
import { describeError } from './errorText.js'
import { DemoNodeError } from './wallet/demoAccount.js'
import { clientOf, type Provider } from './wallet/payer.js'
import { type WalletCode, walletErrorOf } from './walletError.js'

/** The code that the page shows for an error that a wallet throws, through viem. */
async function codeOf(thrown: unknown): Promise<string> {
  const client = clientOf({ request: () => Promise.reject(thrown) } as unknown as Provider)
  const failure = await getAddresses(client).catch((error: unknown) => error)
  return walletErrorOf(failure).code
}

it.each<readonly [string, unknown, WalletCode]>([
  ['a declined request', { code: 4001, message: 'User rejected' }, 'WALLET_REJECTED'],
  ['a request that waits', { code: -32002, message: 'Already processing' }, 'WALLET_BUSY'],
  ['no permission', { code: 4100, message: 'Unauthorized' }, 'WALLET_LOCKED'],
  ['an unknown chain', { code: 4902, message: 'Unrecognized chain' }, 'WALLET_CHAIN_UNKNOWN'],
  ['a lost connection', { code: 4900, message: 'Disconnected' }, 'WALLET_DISCONNECTED'],
  ['an unknown method', { code: 4200, message: 'Unsupported' }, 'WALLET_UNSUPPORTED'],
  ['no batch', { code: 5760, message: 'No atomicity' }, 'WALLET_UNSUPPORTED'],
  [
    'an error nested in its data',
    { code: -32603, message: 'x', data: { originalError: { code: 4902, message: 'y' } } },
    'WALLET_CHAIN_UNKNOWN',
  ],
  ['too little for gas', { code: -32000, message: 'insufficient funds for gas' }, 'WALLET_FUNDS'],
  ['anything else', { code: -32603, message: 'Boom' }, 'WALLET_FAILED'],
  ['a text', 'nothing', 'WALLET_FAILED'],
])('%s has a code of its own', async (_, thrown, code) => {
  expect(await codeOf(thrown)).toBe(code)
})

it('our own errors pass, even through viem', async () => {
  const own = new DemoNodeError('the node is away')
  expect(await codeOf(own)).toBe('DEMO_NODE')
  expect(walletErrorOf(own)).toBe(own)
})

it('every fault says what to do, without the words of viem', async () => {
  const thrown = { code: 4001, message: 'User rejected the request.' }
  const client = clientOf({ request: () => Promise.reject(thrown) } as unknown as Provider)
  const to = `0x${'12'.repeat(20)}` as const
  const failure = await sendTransaction(client, { account: to, to, chain: null }).catch((e) => e)
  const error = walletErrorOf(failure)
  expect(error).toBeInstanceOf(BaseError)
  expect(describeError(error, new Map())).toMatchObject({
    title: 'Declined in the wallet, so the swap was not sent',
    detail: expect.stringContaining('Start again'),
  })
})
