import { clientOf, type WalletClient } from '../send/wallet.js'

/** The account of {@link nodeDouble}. */
export const ACCOUNT = `0x${'a1'.repeat(20)}` as const

/** What a node without a chain answers to a method. */
export type Answers = Readonly<Record<string, (...params: readonly unknown[]) => unknown>>

/** The client of a wallet whose node only answers as told; `asked` has what it was asked, in order. */
export function nodeDouble(answers: Answers) {
  const asked: { readonly method: string; readonly params: readonly unknown[] }[] = []
  const request = async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
    asked.push({ method, params })
    const answer = answers[method]
    if (!answer) throw new Error(`not expected: ${method}`)
    return answer(...params)
  }
  const client: WalletClient = clientOf({ account: ACCOUNT, request })
  return {
    client,
    count: (method: string) => asked.filter((one) => one.method === method).length,
    asked,
  }
}
