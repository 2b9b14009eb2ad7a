import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import type { Command } from 'commander'
import { encodeFunctionData, erc20Abi } from 'viem'
import { withExample, withJson, withSource } from '../commandOptions.js'
import { exactAmountText } from '../draw/index.js'
import { UsageError } from '../errors.js'
import { drawPairs, writeJson } from '../print/output.js'
import { apiOf } from '../sources/apiClient.js'
import { openMarket, type SourceOptions, sourceOf } from '../sources/marketSource.js'
import { readAmount } from '../sources/order.js'
import { readApiTokens } from '../sources/quoteSource.js'
import { labelsOf, resolveToken } from '../sources/tokens.js'
import { knownRouter } from '../swap/router.js'
import { readAddress } from '../swap/slippage.js'
import type { Terminal } from '../terminal.js'

type ApproveOptions = SourceOptions & {
  readonly token: string
  readonly amount?: string
  readonly amountWei?: string
  readonly from?: string
  readonly router?: string
  readonly json?: true
}

/** `braid approve`: the transaction that lets the router take exactly an amount; it is never sent. */
export function addApprove(program: Command, terminal: Terminal): void {
  const command = program
    .command('approve')
    .description('build the transaction that lets the router take exactly an amount of a token')
    .requiredOption('--token <token>', 'token to sell later: a symbol or an address')
    .option('--amount <number>', 'amount to approve, in whole tokens, such as 1.5')
    .option('--amount-wei <integer>', 'amount to approve, in the smallest unit')
    .option('--from <address>', 'the owner: with --api, says whether to revoke first')
    .option('--router <address>', 'the router (default: the published one)')
    .action((options: ApproveOptions) => run(options, terminal))
  withJson(withSource(command))
  withExample(command, 'braid approve --api $API --token USDC --amount 25 --from $WALLET')
}

type Transaction = { readonly to: Address; readonly data: Hex; readonly value: bigint }

async function run(options: ApproveOptions, terminal: Terminal): Promise<void> {
  const isApi = sourceOf(options) === 'api'
  const tokens = isApi
    ? await readApiTokens(apiOf(options, terminal), { ...options, in: options.token, out: NATIVE })
    : (await openMarket(options, terminal)).tokens
  const token = resolveToken(options.token, tokens)
  if (token.address === NATIVE) {
    throw new UsageError('the native token needs no approval', { wanted: 'another token' })
  }
  const amount = readAmount(options, token)
  const { router: spender } = knownRouter(options.router)
  const approve = (wei: bigint): Transaction => ({
    to: token.address,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, wei] }),
    value: 0n,
  })
  const answer = {
    ...{ token: token.address, spender, amount, tx: approve(amount) },
    ...((await mustRevoke(options, { token: token.address, amount }, terminal)) && {
      revoke: approve(0n),
    }),
  }
  if (options.json) return writeJson(terminal, answer)
  terminal.out(
    drawPairs([
      [
        'lets',
        `${spender} take exactly ${exactAmountText(amount, token.address, labelsOf(tokens))}`,
      ],
      ...(answer.revoke
        ? [['first', `to ${token.address}, data ${answer.revoke.data}`] as const]
        : []),
      ['to', token.address],
      ['data', answer.tx.data],
      ['value', '0'],
    ]),
  )
}

/** True if an API says that an allowance is left over which the token refuses to change. A lie costs gas. */
async function mustRevoke(
  { from, ...options }: ApproveOptions,
  { token, amount }: { readonly token: Address; readonly amount: bigint },
  terminal: Terminal,
): Promise<boolean> {
  if (options.api === undefined || from === undefined) return false
  const walletAddress = readAddress('--from', from)
  const asked = { tokenAddress: token, amount, walletAddress }
  return (await apiOf(options, terminal).approval(asked)).revokeFirst === true
}
