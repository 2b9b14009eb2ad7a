/** Requests and responses of the connector's routes: those of the host's router connectors. */
import { Type } from '@sinclair/typebox'

const order = {
  network: Type.Optional(Type.String()),
  baseToken: Type.String({ description: 'Token that is bought or sold; a symbol or an address' }),
  quoteToken: Type.String({ description: 'Token that it is paid in' }),
  amount: Type.Number({ description: 'Amount of the base token' }),
  side: Type.String({ enum: ['BUY', 'SELL'] }),
  slippagePct: Type.Optional(Type.Number({ minimum: 0, maximum: 50 })),
}
const gas = {
  gasPrice: Type.Optional(Type.String({ description: 'Gas price in wei' })),
  maxGas: Type.Optional(Type.Number({ description: 'Gas limit' })),
}
const payer = { walletAddress: Type.Optional(Type.String()) }

export const QuoteRequest = Type.Object({
  ...order,
  indicativePrice: Type.Optional(Type.Boolean({ description: 'Only a price: nothing to execute' })),
  takerAddress: Type.Optional(Type.String({ description: 'Wallet that will execute the quote' })),
})
export const ExecuteQuoteRequest = Type.Object({
  ...{ ...payer, network: order.network },
  quoteId: Type.String(),
  ...gas,
})
export const ExecuteSwapRequest = Type.Object({ ...payer, ...order, ...gas })

export const QuoteResponse = Type.Object({
  ...{ quoteId: Type.String(), tokenIn: Type.String(), tokenOut: Type.String() },
  ...{ amountIn: Type.Number(), amountOut: Type.Number() },
  price: Type.Number({ description: 'Quote tokens for one base token' }),
  ...{ priceImpactPct: Type.Number(), minAmountOut: Type.Number(), maxAmountIn: Type.Number() },
  expirationTime: Type.Optional(Type.Number({ description: 'Unix time in milliseconds' })),
  ...{ gasEstimate: Type.String(), allowanceTarget: Type.String() },
  ...{ to: Type.Optional(Type.String()), data: Type.Optional(Type.String()) },
  value: Type.Optional(Type.String()),
})
export const ExecuteResponse = Type.Object({
  signature: Type.String(),
  status: Type.Number({ description: '0 pending, 1 confirmed' }),
  data: Type.Optional(
    Type.Object({
      ...{ tokenIn: Type.String(), tokenOut: Type.String() },
      ...{ amountIn: Type.Number(), amountOut: Type.Number(), fee: Type.Number() },
      ...{ baseTokenBalanceChange: Type.Number(), quoteTokenBalanceChange: Type.Number() },
    }),
  ),
})
