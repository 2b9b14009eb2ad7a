import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  decodeRouterCall,
  encodeRouterCall,
  type Hex,
  NATIVE,
  PERMIT2,
  routerCallOf,
  swapCallOf,
  toHex,
} from '@braid-swap/core'
import { borrowDevnet, type Devnet } from '@braid-swap/devnet'
import { erc20Abi, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { layeredWallet, type Rules, rpcError } from '../testing/layeredWallet.js'
import { approvalsFor } from './payment.js'
import {
  confirmSwap,
  type SentSwap,
  type SwapOrder,
  type SwapProgress,
  sendSwap,
} from './sendSwap.js'
import { clientOf } from './wallet.js'

const AMOUNT = 10n ** 18n
const FEE = 10n ** 16n
const STRANGER = toHex(0xbad, 20)
const LOST = () => new TypeError('fetch failed')
/** Both kinds of a wallet: a key of ours, and a provider that signs. */
const kinds = ['key', 'provider'] as const
const soon = { pollMs: 20, unknownMs: 1_500, waitMs: 8_000 }

let devnet: Devnet
let isMining = true
let mining: Promise<void>
let isDone = false
beforeAll(async () => {
  devnet = await borrowDevnet()
  mining = (async () => {
    while (!isDone) {
      if (isMining) await devnet.mine()
      await sleep(20)
    }
  })()
})
afterEach(() => {
  isMining = true
})
afterAll(async () => {
  isDone = true
  await mining
  await devnet?.stop()
})

type Built = Awaited<ReturnType<typeof honest>>
/** What an honest server answers to a wrap, which is a swap without a pool. */
async function honest({ src, dst, amount = 0n }: SwapOrder) {
  const { timestamp } = await devnet.client.getBlock()
  const call = routerCallOf(
    { order: { tokenIn: src, tokenOut: dst, amountIn: amount }, route: [], amountOut: amount },
    { wrappedNative: devnet.wrappedNative, slippagePpm: 0n, deadline: timestamp + 1_000n },
  )
  const from = devnet.wallet.address.toLowerCase() as Address
  return {
    dstAmount: amount,
    tx: { from, ...swapCallOf(devnet.router, call), gas: 200_000n, gasPrice: 10n ** 9n },
  }
}

const wrap = () =>
  ({ src: NATIVE, dst: devnet.wrappedNative, amount: AMOUNT, slippage: 0 }) as const
const unwrap = () =>
  ({ src: devnet.wrappedNative, dst: NATIVE, amount: AMOUNT, slippage: 0 }) as const

type Run = {
  readonly kind?: (typeof kinds)[number]
  readonly rules?: Rules
  readonly order?: SwapOrder
  readonly lie?: (built: Built) => Built
  readonly payBy?: 'approval' | 'permit' | 'permit2'
  readonly waitMs?: number
  readonly onStep?: (progress: SwapProgress) => void
}
/** Sends a swap by a wallet whose node and server answer as told. */
async function run({
  kind = 'key',
  rules,
  order = wrap(),
  lie = (it) => it,
  ...options
}: Run = {}) {
  const wallet = layeredWallet(devnet, kind, rules)
  const { timestamp } = await devnet.client.getBlock()
  const terms = { minAmountOut: AMOUNT, latestDeadline: timestamp + 1_200n, maxNetworkFee: FEE }
  const braid = { swap: async (asked: SwapOrder) => lie(await honest(asked)) }
  const where = { ...terms, router: devnet.router, wrappedNative: devnet.wrappedNative }
  const sent = sendSwap(wallet, order, where, { ...soon, braid, ...options })
  const outcome = await sent.then(
    (done) => ({ done, error: undefined, code: undefined }),
    (error: unknown) => ({ done: undefined, error, code: codeOf(error) }),
  )
  return { ...outcome, asked: wallet.asked }
}

/** The code of an error, or of what viem wrapped. */
function codeOf(error: unknown): unknown {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  return code ?? (cause ? codeOf(cause) : undefined)
}

const read = (functionName: 'balanceOf' | 'allowance', ...args: readonly Address[]) =>
  devnet.client.readContract({
    ...{ address: devnet.wrappedNative, abi: erc20Abi, functionName, args: args as never },
  }) as Promise<bigint>

/** What the wallet holds, in wei of the native token, wrapped or not, and its next nonce. */
async function held() {
  const { address } = devnet.wallet
  const [native, wrapped, nonce] = await Promise.all([
    devnet.client.getBalance({ address }),
    read('balanceOf', address),
    devnet.client.getTransactionCount({ address }),
  ])
  return { native, wrapped, worth: native + wrapped, nonce }
}

/** Runs and reports what it cost: wrapped tokens, everything together, transactions. */
async function cost(asked: Run) {
  const before = await held()
  const outcome = await run(asked)
  const after = await held()
  return {
    ...outcome,
    wrapped: after.wrapped - before.wrapped,
    lost: before.worth - after.worth,
    transactions: after.nonce - before.nonce,
  }
}

const ONE_SWAP = { wrapped: AMOUNT, transactions: 1 }
const NOTHING = { wrapped: 0n, lost: 0n, transactions: 0 }

describe.each(kinds)('sendSwap by a %s', (kind) => {
  it('approves exactly, swaps once, and reads what arrived from the router’s event', async () => {
    const said: SwapProgress[] = []
    const onStep = (progress: SwapProgress) => said.push(progress)
    await cost({ kind })
    const { done, transactions, wrapped } = await cost({ kind, order: unwrap(), onStep })
    expect(done).toMatchObject({ amountIn: AMOUNT, amountOut: AMOUNT, quoted: AMOUNT })
    expect([transactions, wrapped]).toEqual([2, -AMOUNT])
    expect(said.map(({ step }) => step)).toEqual([
      ...['check', 'allow', 'build', 'verify', 'send', 'send', 'confirm'],
    ])
    // A copy made before anything left is enough to follow it.
    const wallet = layeredWallet(devnet, kind)
    expect(await confirmSwap(wallet, said[5]!.sending!, soon)).toMatchObject({ hash: done?.hash })
    expect(said[5]!.sending!.hash).toBe(kind === 'key' ? done?.hash : undefined)
    expect(said[1]?.approval).toMatchObject({ amount: AMOUNT, spender: devnet.router })
    expect(await read('allowance', devnet.wallet.address, devnet.router)).toBe(0n)
  })

  it('a lost answer: the swap is found, and not sent twice', async () => {
    const lose: Rules[string] = async (ask, params) => {
      await ask(params)
      throw LOST()
    }
    const rules = { eth_sendRawTransaction: lose, eth_sendTransaction: lose }
    expect(await cost({ kind, rules })).toMatchObject({ ...ONE_SWAP, done: { amountOut: AMOUNT } })
  })

  it('an answer that is lost once, and then “already known” or “nonce too low”, is sent', async () => {
    for (const message of ['already known', 'nonce too low: next nonce 5, tx nonce 4']) {
      const refuse: Rules[string] = async (ask, params) => {
        await ask(params)
        throw rpcError(-32000, message)
      }
      const rules = { eth_sendRawTransaction: refuse, eth_sendTransaction: refuse }
      expect(await cost({ kind, rules })).toMatchObject({
        ...ONE_SWAP,
        done: { amountOut: AMOUNT },
      })
    }
  })

  it('sped up: the swap counts under its other hash', async () => {
    isMining = false
    const onStep = async ({ sent }: SwapProgress) => {
      if (!sent) return
      await replace(sent, { to: sent.to, data: sent.data, value: AMOUNT })
      isMining = true
    }
    const { done, ...rest } = await cost({ kind, onStep })
    expect(rest).toMatchObject(ONE_SWAP)
    expect(done?.hash).toMatch(/^0x/)
  })

  it('replaced: another transaction in its place is named, and nothing was swapped', async () => {
    isMining = false
    const onStep = async ({ sent }: SwapProgress) => {
      if (!sent) return
      await replace(sent, { to: devnet.wallet.address, data: '0x', value: 0n })
      isMining = true
    }
    const outcome = await cost({ kind, onStep })
    expect(outcome).toMatchObject({ code: 'REPLACED', wrapped: 0n, transactions: 1 })
    expect(outcome.error).toMatchObject({ details: { other: expect.stringMatching(/^0x/) } })
  })

  it('reorganised: a receipt of a block that is gone does not count', async () => {
    let looks = 0
    const rules: Rules = {
      eth_getTransactionReceipt: async (ask, params) => {
        const receipt = (await ask(params)) as { readonly blockHash: Hex } | null
        return receipt && looks++ < 3 ? { ...receipt, blockHash: toHex(7, 32) } : receipt
      },
    }
    expect(await cost({ kind, rules })).toMatchObject({ ...ONE_SWAP, done: { amountOut: AMOUNT } })
    expect(looks).toBeGreaterThan(3)
  })

  it('restarted: a node that is gone is asked again, longer than one that denies', async () => {
    let looks = 0
    const rules: Rules = {
      eth_getTransactionReceipt: async (ask, params) => {
        if (looks++ < (2 * soon.unknownMs) / soon.pollMs) throw LOST()
        return ask(params)
      },
    }
    expect(await cost({ kind, rules })).toMatchObject({ ...ONE_SWAP, done: { amountOut: AMOUNT } })
  })

  it('gone for good: the outcome is unknown, and the node is not said to deny it', async () => {
    const rules = { eth_getTransactionReceipt: () => Promise.reject(LOST()) }
    const outcome = await cost({ kind, rules, waitMs: 100 })
    expect(outcome.error).toMatchObject({
      ...{ code: 'OUTCOME_UNKNOWN', hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      message: expect.stringContaining('unknown: the node does not answer'),
    })
    await devnet.mine()
  })

  it('locked: a wallet that has to be opened first sends nothing', async () => {
    const locked = () => Promise.reject(rpcError(-32002, 'Request already pending. Please wait.'))
    const rules = { eth_sendRawTransaction: locked, eth_sendTransaction: locked }
    expect(await cost({ kind, rules })).toMatchObject({ ...NOTHING, code: -32002 })
  })

  it('a wallet or node that refuses sends nothing, and its own error says so', async () => {
    for (const code of [4001, 4100, -32003]) {
      const refuse = () => Promise.reject(rpcError(code, 'no'))
      const rules = { eth_sendRawTransaction: refuse, eth_sendTransaction: refuse }
      expect(await cost({ kind, rules })).toMatchObject({ ...NOTHING, code })
    }
  })

  it('the wrong chain is refused before each signature', async () => {
    const wrong = { eth_chainId: () => Promise.resolve('0x1') }
    expect(await cost({ kind, rules: wrong })).toMatchObject({ ...NOTHING, code: 'WRONG_CHAIN' })
    let times = 0
    const changing = { eth_chainId: async () => (times++ === 0 ? '0x3e7' : '0x1') }
    const changed = await cost({ kind, rules: changing })
    expect(changed).toMatchObject({ ...NOTHING, code: 'WRONG_CHAIN' })
  })

  it('after a restart of the program, what was kept as text says how the swap ended', async () => {
    let kept = ''
    const onStep = ({ sent }: SwapProgress) => {
      if (sent) kept = JSON.stringify(sent)
    }
    const { done } = await cost({ kind, onStep })
    const again = await confirmSwap(layeredWallet(devnet, kind), JSON.parse(kept) as SentSwap, soon)
    const { quoted: _, ...known } = done!
    expect(again).toEqual(known)
  })
})

/** Mines another transaction of the wallet in the place of one that waits. */
async function replace({ nonce }: SentSwap, by: { to: Address; data: Hex; value: bigint }) {
  const { address: from } = devnet.wallet
  const fees = {
    maxFeePerGas: numberToHex(10n ** 11n),
    maxPriorityFeePerGas: numberToHex(10n ** 10n),
  }
  const tx = { from, ...by, value: numberToHex(by.value), nonce: numberToHex(nonce) }
  await devnet.client.request({
    method: 'eth_sendTransaction',
    params: [{ ...tx, ...fees, gas: numberToHex(300_000) }],
  } as never)
}

describe('a transaction that never arrives', () => {
  it('is sent again, if we have signed it: the same one, so it cannot be mined twice', async () => {
    let times = 0
    const rules: Rules = {
      eth_sendRawTransaction: async (ask, params) => {
        if (times++ === 0) throw LOST()
        return ask(params)
      },
    }
    expect(await cost({ rules })).toMatchObject({ ...ONE_SWAP, done: { amountOut: AMOUNT } })
  })

  it.each([
    ['a hash', async () => toHex(0xd, 32), toHex(0xd, 32)],
    ['no hash', () => Promise.reject(LOST()), undefined],
  ])('is an unknown outcome, if the wallet gave %s', async (_, answer, hash) => {
    const outcome = await cost({ kind: 'provider', rules: { eth_sendTransaction: answer } })
    expect(outcome).toMatchObject({ ...NOTHING, code: 'OUTCOME_UNKNOWN', error: { hash } })
  })
})

describe('a hostile server', () => {
  const call = (change: Partial<ReturnType<typeof decodeRouterCall>>) => (built: Built) => ({
    ...built,
    tx: { ...built.tx, data: encodeRouterCall({ ...decodeRouterCall(built.tx.data), ...change }) },
  })
  const tx = (change: Partial<Built['tx']>) => (built: Built) => ({
    ...built,
    tx: { ...built.tx, ...change },
  })
  it.each<readonly [string, (built: Built) => Built, string]>([
    ['to', tx({ to: STRANGER }), 'MISMATCH'],
    ['from', tx({ from: STRANGER }), 'MISMATCH'],
    ['value', tx({ value: AMOUNT + 1n }), 'MISMATCH'],
    ['gas', tx({ gas: 10n ** 9n }), 'MISMATCH'],
    ['gasPrice', tx({ gasPrice: 10n ** 15n }), 'MISMATCH'],
    ['data', tx({ data: '0x' }), 'BAD_CALLDATA'],
    ['tokenIn', call({ tokenIn: STRANGER }), 'MISMATCH'],
    ['tokenOut', call({ tokenOut: STRANGER }), 'MISMATCH'],
    ['amountIn', call({ amountIn: AMOUNT + 1n }), 'MISMATCH'],
    ['receiver', call({ receiver: STRANGER }), 'MISMATCH'],
    ['deadline', call({ deadline: 1n << 255n }), 'MISMATCH'],
    ['program', call({ program: '0x01' }), 'BAD_PROGRAM'],
    ['dstAmount', (built) => ({ ...built, dstAmount: AMOUNT - 1n }), 'PRICE_MOVED'],
  ])('that changes %s gets nothing', async (_, lie, code) => {
    expect(await cost({ lie })).toMatchObject({ ...NOTHING, code })
  })

  it('that lowers the floor only has it raised again', async () => {
    let data: Hex = '0x'
    const onStep = ({ tx: sent }: SwapProgress) => {
      if (sent) data = sent.data
    }
    expect(await cost({ lie: call({ minAmountOut: 1n }), onStep })).toMatchObject(ONE_SWAP)
    expect(decodeRouterCall(data).minAmountOut).toBe(AMOUNT)
  })

  it.each(['BIG_BLOCK_REQUIRED', 'SWAP_WOULD_REVERT'])(
    'warns of %s, which is obeyed',
    async (code) => {
      const meta = { warnings: [{ code, message: 'no' }] }
      const outcome = await cost({ lie: (built) => ({ ...built, meta }) })
      expect(outcome).toMatchObject({ ...NOTHING, error: { details: { warning: code } } })
    },
  )
})

describe('a hostile node', () => {
  const big = numberToHex(10n ** 15n)
  it.each<readonly [string, Rules, string]>([
    ['a gas price', { eth_gasPrice: async () => big }, 'NETWORK_FEE_TOO_HIGH'],
    ['an estimate', { eth_estimateGas: async () => big }, 'NETWORK_FEE_TOO_HIGH'],
    ['code', { eth_getCode: async () => '0x00' }, 'ROUTER_UNVERIFIED'],
    ['a chain', { eth_chainId: async () => '0x1' }, 'WRONG_CHAIN'],
    ['a balance', { eth_getBalance: async () => '0x1' }, 'BALANCE_INSUFFICIENT'],
    [
      'a short return value',
      {
        eth_call: async (ask, [asked, at]) => {
          const { to } = asked as { readonly to: Address }
          const answer = await ask([asked, at])
          return to === devnet.router && `${answer}`.length === 66 && BigInt(`${answer}`) === AMOUNT
            ? '0x01'
            : answer
        },
      },
      'REVERTED',
    ],
  ])('that lies about %s makes nobody pay', async (_, rules, code) => {
    expect(await cost({ rules })).toMatchObject({ ...NOTHING, code })
  })

  it.each<readonly [string, Rules]>([
    ['no gas price', { eth_gasPrice: async () => '0x1' }],
    ['another nonce', { eth_getTransactionCount: async () => '0xffff' }],
    ['a hash of its own', { eth_sendRawTransaction: async () => toHex(1, 32) }],
    [
      'a receipt without the event',
      {
        eth_getTransactionReceipt: async (ask, params) => {
          const receipt = (await ask(params)) as object | null
          return receipt && { ...receipt, logs: [] }
        },
      },
    ],
    [
      'a receipt that failed',
      {
        eth_getTransactionReceipt: async (ask, params) => {
          const receipt = (await ask(params)) as object | null
          return receipt && { ...receipt, status: '0x0' }
        },
      },
    ],
  ])('that answers %s costs no more than the fee, and is not believed', async (_, rules) => {
    const { done, lost } = await cost({ rules })
    expect(done).toBeUndefined()
    expect(lost).toBeLessThanOrEqual(FEE)
    await devnet.client.request({ method: 'anvil_dropAllTransactions' } as never)
  })
})

describe('paying', () => {
  it('by Permit2 leaves no approval', async () => {
    await cost({})
    const { done, transactions } = await cost({ order: unwrap(), payBy: 'permit2' })
    expect([done?.amountOut, transactions]).toEqual([AMOUNT, 2])
    expect(await read('allowance', devnet.wallet.address, PERMIT2)).toBe(0n)
    expect(await read('allowance', devnet.wallet.address, devnet.router)).toBe(0n)
  })

  it('by a permit is refused by its name for a token without one', async () => {
    await cost({})
    const refused = await cost({ order: unwrap(), payBy: 'permit' })
    expect(refused).toMatchObject({ ...NOTHING, code: 'PERMIT_UNSUPPORTED' })
  })

  it('revokes first where a token refuses to change an allowance that is not zero', async () => {
    const [token, spender] = [toHex(0x0dd, 20), devnet.router]
    // approve and allowance keep one word in slot 0; approve reverts while it is not zero.
    const bytecode =
      '0x60003560e01c8063095ea7b31460365763dd62ed3e14602a57677fffffffffffffff60005260206000f35b60005460005260206000f35b6024358015604b5760005415604b5760006000fd5b60005560016000526020' +
      '6000f3'
    await devnet.client.setCode({ address: token, bytecode: bytecode as Hex })
    const client = clientOf(layeredWallet(devnet, 'provider'))
    const amounts = async (allowance: number) => {
      const [index, value] = [toHex(0, 32), numberToHex(allowance, { size: 32 })]
      await devnet.client.setStorageAt({ address: token, index, value })
      const calls = await approvalsFor(client, { token, amount: 9n, spender })
      return calls.map(({ amount }) => amount)
    }
    expect([await amounts(0), await amounts(5), await amounts(9)]).toEqual([[9n], [0n, 9n], []])
  })
})
