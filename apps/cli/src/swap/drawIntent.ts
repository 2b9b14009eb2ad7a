import { type Address, type Fee, type Intent, NATIVE } from '@braid-swap/core'
import { beforeFee, feeOn, payeeOf, ZERO_ADDRESS } from '@braid-swap/core/advanced'
import { exactAmountText, nameOf, type TokenLabels } from '../draw/index.js'
import { drawPairs, drawTable } from '../print/output.js'

/** Describes a swap's calldata in words. */
export function drawIntent({ call, hops, fee }: Intent, labels: TokenLabels): string {
  const amount = (wei: bigint, token: Address) => exactAmountText(wei, token, labels)
  const isSender = call.receiver === ZERO_ADDRESS
  const deadline = new Date(Number(call.deadline) * 1000)
  const time = Number.isNaN(deadline.getTime()) ? 'never' : deadline.toISOString()
  const pairs: (readonly [string, string])[] = [
    ['payer', `only the sender of the transaction${paymentText(call)}`],
    ['pays', `exactly ${amount(call.amountIn, call.tokenIn)}`],
    ['receiver', isSender ? 'the sender of the transaction' : call.receiver],
    ['receives', `at least ${amount(call.minAmountOut, call.tokenOut)}`],
    ...(fee ? [['fee', feeText(fee, call, labels)] as const] : []),
    ['deadline', `${time} (${call.deadline})`],
    ['executor', `${call.executor}, which ${payeeText(call)}`],
  ]
  const rows = hops.map(({ tokenIn, tokenOut, share, families, pool }, i) => [
    `${i + 1}`,
    share === 0 ? 'the rest' : `${((share / 0xffffff) * 100).toFixed(4)} %`,
    nameOf(tokenIn, labels),
    nameOf(tokenOut, labels),
    families.join(' or '),
    pool,
  ])
  const ends = [call.tokenIn, call.tokenOut]
  const wraps = ends.includes(NATIVE) ? '\nThe router wraps and unwraps the native token.' : ''
  if (rows.length === 0) return `${drawPairs(pairs)}\n${wraps}`
  const head = ['hop', 'share', 'in', 'out', 'family', 'pool']
  return `${drawPairs(pairs)}\n\n${drawTable(head, rows, ['right', 'right'])}${wraps && `\n${wraps}`}`
}

/** A fee in words. A part of the output is known only at execution, so its amount is given for the floor. */
export function feeText(fee: Fee, call: Intent['call'], labels: TokenLabels): string {
  const percent = `${fee.ppm / 10_000} %`
  if (fee.of === 'tokenIn') {
    const paid = exactAmountText(feeOn(call.amountIn, fee), call.tokenIn, labels)
    return `${percent} of what is paid, ${paid}, to ${fee.recipient}`
  }
  const gross = beforeFee(call.minAmountOut, fee)
  const least = exactAmountText(gross - call.minAmountOut, call.tokenOut, labels)
  return `${percent} of the output, at least ${least}, to ${fee.recipient}; the receiver gets the rest`
}

/** Who gets what is paid: the executor, or the first pool in its place. */
function payeeText({ program, executor }: Intent['call']): string {
  const payee = payeeOf(program, executor)
  return payee === executor ? 'gets what is paid' : `has it paid to the first pool, ${payee}`
}

function paymentText({ payment }: Intent['call']): string {
  if (payment === undefined) return ''
  return payment.by === 'permit' ? ', by a permit of the token' : ', by a Permit2 signature'
}
