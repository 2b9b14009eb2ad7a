import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { borrowDevnet, type Devnet } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mineDuring } from '../testing/devnetFolder.js'
import { runCli } from '../testing/runCli.js'

let devnet: Devnet
beforeAll(async () => {
  devnet = await borrowDevnet()
})
afterAll(() => devnet?.stop())

/** A node in front of the devnet's, which loses what `isLost` names: the request, or only its answer. */
async function startLossyNode(isLost: (times: number) => 'answer' | 'request' | undefined) {
  let times = 0
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = await text(request)
    const lost = body.includes('eth_sendRawTransaction') ? isLost(times++) : undefined
    const headers = { 'content-type': 'application/json' }
    const answer =
      lost === 'request'
        ? ''
        : await (await fetch(devnet.rpcUrl, { method: 'POST', headers, body })).text()
    if (lost) return request.socket.destroy()
    response.writeHead(200, headers)
    return response.end(answer)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, stop: () => server.close() }
}

/** Unwraps through a lossy node; also how many transactions of the wallet were mined. */
async function swapThrough(isLost: Parameters<typeof startLossyNode>[0]) {
  const node = await startLossyNode(isLost)
  const { address, privateKey: KEY } = devnet.wallet
  const order = ['--in', 'native', '--out', devnet.wrappedNative, '--amount', '1', '--json']
  const send = ['--send', '--yes', '--private-key-env', 'KEY', '--router', devnet.router]
  const count = () => devnet.client.getTransactionCount({ address })
  const before = await count()
  const ran = await mineDuring(devnet, () =>
    runCli(['swap', '--rpc', node.url, ...order, ...send], { KEY }),
  )
  node.stop()
  return { ...ran, mined: (await count()) - before }
}

describe('braid swap --send, where the node', () => {
  it('takes the transaction and loses its answers, swaps once and says so', async () => {
    const { code, out, mined } = await swapThrough(() => 'answer')
    expect([code, mined]).toEqual([0, 1])
    expect(JSON.parse(out)).toMatchObject({ amountOut: `${10n ** 18n}` })
  })

  it('loses the transaction once, sends the same one again', async () => {
    const { code, mined } = await swapThrough((times) => (times === 0 ? 'request' : undefined))
    expect([code, mined]).toEqual([0, 1])
  })

  it('never takes the transaction, ends with its hash and an exit code of its own', async () => {
    const { code, out, err, mined } = await swapThrough(() => 'request')
    expect([code, out, mined]).toEqual([7, '', 0])
    const { error } = JSON.parse(err.split('\n').at(-1)!)
    expect(error).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      details: { hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
  })
})
