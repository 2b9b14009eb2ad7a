// By whatever the demo ends, its processes end with it.

import { describe, expect, it } from 'vitest'
import { areAnswering, expectSilence, freePorts, urlsOf, useDemo } from './testing/startDemo.js'

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

  it('stops if the npm that runs it ends', async () => {
    const ports = await freePorts()
    const { demo: npm } = await start(ports, ['npm', 'start', '--ignore-scripts'])
    expect(await areAnswering(urlsOf(ports))).toEqual([true, true])
    npm.kill('SIGTERM')
    await expectSilence(urlsOf(ports))
  })
})
