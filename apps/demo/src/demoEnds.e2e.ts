// By whatever the demo ends, its processes end with it.

import { describe, expect, it } from 'vitest'
import {
  areAnswering,
  expectSilence,
  freePorts,
  program,
  urlsOf,
  useDemo,
} from './testing/startDemo.js'

describe('the demo', () => {
  const { start } = useDemo()

  it('leaves no process behind even if it is killed', async () => {
    const ports = await freePorts()
    const { demo, closed } = await start(ports)
    expect(await areAnswering(urlsOf(ports))).toEqual([true, true])
    demo.kill('SIGKILL')
    await closed
    await expectSilence(urlsOf(ports))
  })

  it('serves a recorded market where anvil cannot run, and says so', async () => {
    const ports = await freePorts()
    const other = `Object.defineProperty(process, 'arch', { value: 'riscv64' })`
    const command = ['--import', `data:text/javascript,${other}`, program] as const
    const { demo, output, closed } = await start(ports, [process.execPath, ...command])
    expect(output.stderr).toMatch(/no anvil binary for \w+-riscv64.*a recorded market is served/)
    expect(output.stdout).toContain('2500 HYPE')
    const url = /curl '(\S+)'/.exec(output.stdout)?.[1] ?? ''
    const answer = await fetch(`${url}&includeMeta=true`)
    expect(await answer.json()).toMatchObject({ meta: { recorded: true, blockNumber: '79' } })
    const { origin } = new URL(url)
    const tokens = await (await fetch(`${origin}/999/tokens`)).text()
    expect(tokens).toContain('"symbol":"JEFF"')
    expect(tokens).not.toContain('"symbol":""')
    demo.kill('SIGINT')
    expect(await closed).toEqual([0, null])
    await expectSilence(urlsOf(ports))
  })

  it('stops if the npm that runs it ends', async () => {
    const ports = await freePorts()
    const { demo: npm } = await start(ports, ['npm', 'start', '--ignore-scripts'])
    expect(await areAnswering(urlsOf(ports))).toEqual([true, true])
    npm.kill('SIGTERM')
    await expectSilence(urlsOf(ports))
  })
})
