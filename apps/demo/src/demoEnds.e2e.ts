// By whatever the demo ends, its processes end with it.
import { demoMain } from '@braid-swap/worlds/program'
import { describe, expect, it } from 'vitest'
import { start } from './testing/start.js'

describe('the demo', () => {
  it('leaves no process behind even if it is killed', async () => {
    const demo = await start()
    expect(await demo.areAnswering()).toEqual([true, true])
    await demo.kill()
    await expect.poll(demo.areAnswering).toEqual([false, false])
  })

  it('serves a recorded market where anvil cannot run, and says so', async () => {
    const other = `Object.defineProperty(process, 'arch', { value: 'riscv64' })`
    const words = ['--import', `data:text/javascript,${other}`, demoMain]
    const demo = await start({ command: [process.execPath, ...words] })
    expect(demo.err.join('\n')).toMatch(
      /no anvil binary for \w+-riscv64.*a recorded market is served/,
    )
    const printed = demo.out.join('\n')
    expect(printed).toContain('2500 HYPE')
    const url = /curl '(\S+)'/.exec(printed)?.[1] ?? ''
    const answer = await fetch(`${url}&includeMeta=true`)
    expect(await answer.json()).toMatchObject({ meta: { recorded: true, blockNumber: '79' } })
    const { origin } = new URL(url)
    const tokens = await (await fetch(`${origin}/999/tokens`)).text()
    expect(tokens).toContain('"symbol":"JEFF"')
    expect(tokens).not.toContain('"symbol":""')
    demo.signal('SIGINT')
    expect(await demo.ended).toBe(0)
    await expect.poll(demo.areAnswering).toEqual([false, false])
  })

  it('stops if the npm that runs it ends', async () => {
    const npm = await start({ command: ['npm', 'start', '--ignore-scripts'] })
    expect(await npm.areAnswering()).toEqual([true, true])
    npm.signal('SIGTERM')
    await expect.poll(npm.areAnswering).toEqual([false, false])
  })
})
