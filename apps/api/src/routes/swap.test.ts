import { routerAbi } from '@braid-swap/contracts'
import { decodeProgram, decodeRouterCall, type Hex, NATIVE, quote } from '@braid-swap/core'
import { sliceHex, withGasPriceMargin } from '@braid-swap/core/advanced'
import { mulDivUp } from '@braid-swap/core/families'
import { decodeAbiParameters, decodeFunctionData, getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { frozenGraph, frozenSnapshot, USDC, WHYPE } from '../testing/frozenMarket.js'
import { TEST_ROUTER } from '../testing/startTestApi.js'
import { useTestWorld } from '../testing/useFrozenApi.js'
import { type ErrorBody, type SwapBody, swapSchema } from '../wire/responses.js'

const HYPE = 10n ** 18n
const ZERO = `0x${'0'.repeat(40)}`
const path = (params: Readonly<Record<string, string>>) =>
  `/swap/v1/999/swap?${new URLSearchParams(params)}`
const order = { src: WHYPE, dst: USDC, amount: `${10n * HYPE}`, slippage: '0.5' }

const world = useTestWorld()

const get = (params: Readonly<Record<string, string>>) => world.api.get<SwapBody>(path(params))
const refused = (params: Readonly<Record<string, string>>) => world.api.get<ErrorBody>(path(params))
const callOf = ({ tx }: SwapBody) => decodeRouterCall(tx.data as Hex)

describe('interface 4.2, parameters', () => {
  it.each(['src', 'dst', 'amount', 'slippage'])('%s is required', async (name) => {
    const { [name]: _, ...rest } = order as Record<string, string>
    const { status, body } = await refused(rest)
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: name, code: 'MISSING_PARAMETER' }])
  })

  it.each(['0', '50', '50.0', '0.30000000000000004', '1e-7', '5e1', '.5'])(
    'slippage %s is within 0 <= x <= 50',
    async (slippage) => {
      expect((await get({ ...order, slippage })).status).toBe(200)
    },
  )

  it.each(['-0.1', '50.0000000001', '51', 'abc', '', '1e3', 'NaN', 'Infinity', '0x5', '1,5'])(
    'slippage "%s" is refused',
    async (slippage) => {
      const { status, body } = await refused({ ...order, slippage })
      expect([status, body.code]).toEqual([400, 'INVALID_SLIPPAGE'])
    },
  )

  it('always performs the exact quote: dstAmount is the precise expected output', async () => {
    const { amountOut } = quote(frozenGraph, {
      tokenIn: WHYPE,
      tokenOut: USDC,
      amountIn: 10n * HYPE,
    })
    const { headers, body } = await get(order)
    expect(body.dstAmount).toBe(`${amountOut}`)
    expect(headers.get('x-quote-mode')).toBe('exact')
  })

  it('the body is dstAmount, tx and encodedTx unless more is asked for', async () => {
    const bare = await get(order)
    expect(Object.keys(bare.body).sort()).toEqual(['dstAmount', 'encodedTx', 'tx'])
    const full = await get({ ...order, includeTokensInfo: '1', includeGas: '1', includeMeta: '1' })
    expect(Object.keys(full.body).sort()).toEqual(
      ['dstAmount', 'dstToken', 'encodedTx', 'gas', 'meta', 'srcToken', 'tx'].sort(),
    )
    swapSchema.parse(full.body)
    swapSchema.parse(bare.body)
  })

  it('gasPrice defaults to the network gas price with room for one full block, because it is paid whole', async () => {
    const { gasPrice } = (await get(order)).body.tx
    expect(BigInt(gasPrice)).toBe((frozenSnapshot.block.gasPrice * 9n) / 8n)
    expect((await get({ ...order, gasPrice: '7' })).body.tx.gasPrice).toBe('7')
  })

  it('meta.fees have room for six full blocks, of which a transaction of type 2 pays none that it does not need', async () => {
    const feesOf = async (more: Readonly<Record<string, string>>) => {
      const { body } = await get({ ...order, includeMeta: 'true', ...more })
      const { gasPrice, priorityFee } = body.meta!
      return { ...body.meta!.fees, gasPrice, priorityFee, legacy: body.tx.gasPrice }
    }
    const base = frozenSnapshot.block.gasPrice
    const most = withGasPriceMargin(base)
    expect(await feesOf({})).toEqual({
      ...{ maxFeePerGas: `${most}`, maxPriorityFeePerGas: '0' },
      ...{ gasPrice: `${base}`, priorityFee: undefined, legacy: `${(base * 9n) / 8n}` },
    })
    expect(await feesOf({ maxPriorityFeePerGas: '5' })).toEqual({
      ...{ maxFeePerGas: `${most + 5n}`, maxPriorityFeePerGas: '5' },
      ...{ gasPrice: `${base + 5n}`, priorityFee: '5', legacy: `${(base * 9n) / 8n + 5n}` },
    })
    expect(await feesOf({ gasPrice: '7', maxPriorityFeePerGas: '9' })).toMatchObject({
      ...{ maxFeePerGas: '7', maxPriorityFeePerGas: '7', legacy: '7' },
    })
  })

  it('counts a tip as the price of gas: legs that do not earn it are left out', async () => {
    const gasOf = async (maxPriorityFeePerGas: string) =>
      Number((await get({ ...order, includeGas: 'true', maxPriorityFeePerGas })).body.gas)
    expect(await gasOf(`${10n ** 15n}`)).toBeLessThan(await gasOf('0'))
  })

  it('gasLimit defaults to the estimate plus 20 %', async () => {
    const { body } = await get({ ...order, includeGas: 'true' })
    const gas = BigInt(body.gas ?? 0)
    expect(gas).toBeGreaterThan(21_000n)
    expect(body.tx.gas).toBe(`${(gas * 12n + 9n) / 10n}`)
    expect((await get({ ...order, gasLimit: '1234567' })).body.tx.gas).toBe('1234567')
  })

  it.each([
    [{ gasPrice: '0' }, 'AMOUNT_OUT_OF_RANGE'],
    [{ gasPrice: '0.1' }, 'INVALID_AMOUNT'],
    [{ gasLimit: '20999' }, 'AMOUNT_OUT_OF_RANGE'],
    [{ gasLimit: '30000001' }, 'AMOUNT_OUT_OF_RANGE'],
  ])('%o is refused', async (more, code) => {
    const { status, body } = await refused({ ...order, ...(more as Record<string, string>) })
    expect([status, body.code]).toEqual([400, code])
  })
})

describe('an integer of eighty digits', () => {
  it.each(['gasPrice', 'gasLimit', 'deadline', 'block', 'maxHops', 'permit2Nonce'])(
    'as %s is out of range, as one of forty is, and no wrong text',
    async (name) => {
      for (const digits of name === 'permit2Nonce' ? [80] : [40, 80]) {
        const { status, body } = await refused({ ...order, [name]: '9'.repeat(digits) })
        expect([status, body.code]).toEqual([400, 'AMOUNT_OUT_OF_RANGE'])
      }
    },
  )
})

describe('interface 2.4, tx', () => {
  it('from omitted: tx.from is zero and the calldata names no receiver', async () => {
    const { body } = await get(order)
    expect(body.tx.from).toBe(ZERO)
    expect(callOf(body).receiver).toBe(ZERO)
  })

  it('tx.to is the router and the calldata says what was asked', async () => {
    const { body } = await get(order)
    expect(body.tx.to).toBe(getAddress(TEST_ROUTER))
    expect(body.tx.value).toBe('0')
    const call = callOf(body)
    expect(call).toMatchObject({ tokenIn: WHYPE, tokenOut: USDC, amountIn: 10n * HYPE })
    expect(call.deadline).toBe(frozenSnapshot.block.timestamp + 1_200n)
    const { hops } = decodeProgram(call.program, { tokenIn: WHYPE, tokenOut: USDC })
    expect(hops.length).toBeGreaterThan(0)
  })

  it.each([
    ['0.5', 5_000n],
    ['0', 0n],
    ['50', 500_000n],
    ['0.00019', 1n],
  ])('slippage %s leaves ceil(dstAmount · (1e6 - ppm) / 1e6)', async (slippage, ppm) => {
    const { body } = await get({ ...order, slippage })
    const floor = mulDivUp(BigInt(body.dstAmount), 1_000_000n - ppm, 1_000_000n)
    expect(callOf(body).minAmountOut).toBe(floor)
  })

  it('value is the amount for a native source', async () => {
    const { body } = await get({ ...order, src: NATIVE })
    expect(body.tx.value).toBe(order.amount)
    expect(callOf(body).tokenIn).toBe(NATIVE)
  })

  it.each([
    [NATIVE, WHYPE],
    [WHYPE, NATIVE],
  ])('%s to %s goes through the router, 1:1 whatever the slippage', async (src, dst) => {
    const { body } = await get({ ...order, src, dst, slippage: '50' })
    expect(body.dstAmount).toBe(order.amount)
    expect(body.tx.to).toBe(getAddress(TEST_ROUTER))
    expect(callOf(body)).toMatchObject({ minAmountOut: 10n * HYPE, program: '0x00' })
  })

  it('receiver gets the output where it is given', async () => {
    const receiver = `0x${'ab'.repeat(20)}`
    expect(callOf((await get({ ...order, receiver })).body).receiver).toBe(receiver)
  })

  it('encodedTx is one ABI-encoded tuple of (from, to, data, value, gasPrice, gas)', async () => {
    const { body } = await get({ ...order, src: NATIVE })
    const encoded = body.encodedTx as Hex
    expect(BigInt(sliceHex(encoded, 0, 32))).toBe(32n)
    const [tx] = decodeAbiParameters(
      [
        {
          type: 'tuple',
          components: ['address', 'address', 'bytes', 'uint256', 'uint256', 'uint256'].map(
            (type, i) => ({ type, name: ['from', 'to', 'data', 'value', 'gasPrice', 'gas'][i]! }),
          ),
        },
      ],
      encoded,
    )
    const shown = Object.fromEntries(
      Object.entries(tx as Record<string, unknown>).map(([key, value]) => [key, `${value}`]),
    )
    expect(shown).toEqual(body.tx)
  })
})

describe('interface 4.2 rules 1 and 2, and 7: from is checked', () => {
  const wallet = () => world.chain.accounts[4]!.address
  const approve = (amount: bigint) =>
    world.chain.execute([
      {
        label: 'approve',
        from: wallet(),
        to: USDC,
        data: `0x095ea7b3${TEST_ROUTER.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`,
        gas: 100_000n,
      },
    ])
  const sale = { src: USDC, dst: WHYPE, amount: '1000000', slippage: '1' }

  it('a balance below amount is a 400 with a descriptive message; both faults are listed', async () => {
    const { status, body } = await refused({ ...sale, from: wallet() })
    expect([status, body.code]).toEqual([400, 'BALANCE_INSUFFICIENT'])
    expect(body.message).toMatch(/Not enough balance: 0x.* holds 0 USDC; 1 USDC is needed/)
    expect(body.issues.map(({ code }) => code)).toEqual([
      'BALANCE_INSUFFICIENT',
      'ALLOWANCE_INSUFFICIENT',
    ])
    expect(body.details).toMatchObject({ required: '1000000', available: '0', token: USDC })
  })

  it('an allowance below amount is a 400 with a descriptive message', async () => {
    await world.chain.fund(wallet(), USDC, 1_000_000n)
    await approve(999_999n)
    const { status, body } = await refused({ ...sale, from: wallet() })
    expect([status, body.code]).toEqual([400, 'ALLOWANCE_INSUFFICIENT'])
    expect(body.message).toMatch(
      /may spend 0.999999 USDC of 0x.*; 1 USDC is needed.*approve\/transaction/,
    )
    expect(body.details).toMatchObject({ spender: getAddress(TEST_ROUTER), available: '999999' })
    expect(body.issues).toMatchObject([{ received: '999999', expected: 'at least 1000000' }])
  })

  it('a short balance is what the issue has received, not the amount again', async () => {
    const amount = '2500000'
    const { body } = await refused({ ...sale, amount, from: wallet() })
    expect(body.message).toMatch(/holds 1 USDC; 2.5 USDC is needed/)
    const [issue] = body.issues
    expect(issue).toMatchObject({ code: 'BALANCE_INSUFFICIENT', received: '1000000' })
    expect(issue?.message).toBe('is more than the wallet holds')
  })

  it('skipChecks leaves both out', async () => {
    const { status } = await get({ ...sale, from: wallet(), amount: '5000000', skipChecks: 'true' })
    expect(status).toBe(200)
  })

  it('balance and allowance of exactly amount pass; tx.from is the wallet', async () => {
    await approve(1_000_000n)
    const { status, body } = await get({ ...sale, from: wallet(), includeMeta: 'true' })
    expect(status).toBe(200)
    expect(body.tx.from).toBe(getAddress(wallet()))
    expect(body.meta?.['wallet']).toEqual({
      // The node here is not HyperEVM's, and knows nothing of big blocks.
      ...{ balance: '1000000', allowance: '1000000', usingBigBlocks: null },
    })
  })

  it('without from nothing is checked', async () => {
    expect((await get(sale)).status).toBe(200)
  })

  it('a native source needs balance and no allowance', async () => {
    const poor = `0x${'ef'.repeat(20)}`
    const short = await refused({ ...order, src: NATIVE, from: poor })
    expect(short.body.code).toBe('BALANCE_INSUFFICIENT')
    expect(short.body.issues).toHaveLength(1)
    const rich = await get({ ...order, src: NATIVE, from: wallet() })
    expect(rich.status).toBe(200)
  })

  it('a sale of all HYPE is refused with what the gas may cost, and the amount that leaves room is served', async () => {
    const address = world.chain.accounts[6]!.address
    const balance = 10n ** 18n
    await world.chain.client.setBalance({ address, value: balance })
    const sale = { ...order, src: NATIVE, from: address }
    const { status, body } = await refused({ ...sale, amount: `${balance}` })
    expect([status, body.code]).toEqual([400, 'GAS_NOT_COVERED'])
    const { available, required, gasCost, most } = body.details as Record<string, string>
    expect(available).toBe(`${balance}`)
    expect(BigInt(required!) - balance).toBe(BigInt(gasCost!))
    expect(BigInt(most!) + BigInt(gasCost!)).toBe(balance)
    expect(body.message).toContain('At most 0.99')
    expect((await get({ ...sale, amount: most! })).status).toBe(200)
    expect((await get({ ...sale, amount: `${balance}`, skipChecks: 'true' })).status).toBe(200)
  })
})

describe('meta of a swap', () => {
  it.each([
    ['0.005', 'SLIPPAGE_LOOKS_LIKE_FRACTION'],
    ['5.1', 'SLIPPAGE_HIGH'],
  ])('slippage %s warns %s', async (slippage, code) => {
    const { body } = await get({ ...order, slippage, includeMeta: 'true' })
    expect(body.meta?.warnings).toMatchObject([{ code }])
  })

  it.each([
    // The frozen block is of 1790000000 and asks for 0.1 gwei.
    [{ deadline: '1790000600000' }, ['DEADLINE_LOOKS_LIKE_MILLISECONDS']],
    [{ gasPrice: '1' }, ['GAS_PRICE_BELOW_BASE_FEE']],
    [{ gasPrice: '2000000001' }, ['GAS_PRICE_ABSURD']],
    [{ gasPrice: '2000000000', deadline: '1790000600' }, []],
    [{ amount: '10000000000000' }, ['GAS_ABOVE_OUTPUT']],
  ])('%o warns %j', async (more, codes) => {
    const { status, body } = await get({ ...order, ...more, includeMeta: 'true' })
    expect(status).toBe(200)
    expect(body.meta?.warnings.map(({ code }) => code)).toEqual(codes)
  })

  it('a gasLimit above a small block warns, and so does one below the estimate', async () => {
    const big = await get({ ...order, gasLimit: '2000001', includeMeta: 'true' })
    expect(big.body.meta?.warnings).toMatchObject([{ code: 'BIG_BLOCK_REQUIRED' }])
    const small = await get({ ...order, gasLimit: '21000', includeMeta: 'true' })
    expect(small.body.meta?.warnings).toMatchObject([{ code: 'GAS_LIMIT_BELOW_ESTIMATE' }])
  })

  it('echoes the floor, the slippage and the intent', async () => {
    const { body } = await get({ ...order, includeMeta: 'true' })
    const { minAmountOut } = callOf(body)
    expect(body.meta).toMatchObject({
      ...{ slippagePpm: 5_000, slippageBps: 50, minDstAmount: `${minAmountOut}`, simulated: false },
      intent: {
        ...{ router: getAddress(TEST_ROUTER), minDstAmount: `${minAmountOut}` },
        executor: getAddress(callOf(body).executor),
      },
    })
  })
})

describe('calldata', () => {
  it('is what the deployed router decodes', async () => {
    const { body } = await get(order)
    const { functionName, args } = decodeFunctionData({ abi: routerAbi, data: body.tx.data as Hex })
    expect(functionName).toBe('swap')
    const wanted = { tokenIn: getAddress(WHYPE), amountIn: 10n * HYPE, tokenOut: getAddress(USDC) }
    expect(args?.[0]).toMatchObject(wanted)
  })
})
