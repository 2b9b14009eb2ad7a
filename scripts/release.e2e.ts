// The release of all packages, by the lines of the workflows as they are written: the next version, a prerelease, and
// a hotfix of the line before it. Needs a build and the whole history.

import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicPackages } from './pack.mjs'
import { startRelease, versionIn } from './releaseStory.js'

const isShallow =
  `${execFileSync('git', ['rev-parse', '--is-shallow-repository'])}`.trim() !== 'false'

describe.skipIf(isShallow)('all packages', () => {
  let story: Awaited<ReturnType<typeof startRelease>>
  let first: string
  beforeAll(async () => {
    story = await startRelease(true)
  })
  afterAll(() => story?.close())

  it('are published in the order of what they need, and on after a break', async () => {
    const { play, refused, registry } = story
    await story.change('core', 'patch')
    expect(await play.plan()).toBe('plan=version')
    await play.version()
    const { plan, clone } = await play.test()
    expect(plan).toBe('plan=publish')
    first = versionIn(clone)
    // The page is in the API, which comes after it though its name is before.
    refused.add('@braid-swap/page')
    await expect(play.publish(clone)).rejects.toThrow(`core@${first} is published as latest`)
    expect(registry.packages.has('@braid-swap/api')).toBe(false)
    refused.clear()
    expect(await play.publish(clone)).toContain(`core@${first} is there`)
    expect([...registry.packages.keys()].sort()).toEqual(
      publicPackages()
        .map(({ manifest }) => manifest.name)
        .sort(),
    )
    expect(await play.plan()).toBe('plan=nothing')
  })

  it('have a prerelease under a tag of its own, then a hotfix of the older line', async () => {
    const { play, change, release, tagsOf } = story
    const pre = 'node node_modules/@changesets/cli/bin.js pre'
    await change('core', 'minor', { first: `${pre} enter next` })
    const next = await release()
    expect(next).toMatch(/-next\.0$/)
    expect(tagsOf('core')).toEqual({ latest: first, next })
    expect(await play.plan()).toBe('plan=nothing')
    await change('chain', 'patch', { first: `${pre} exit` })
    const whole = await release()
    expect(tagsOf('core')).toEqual({ latest: whole, next })
    await change('core', 'patch', { branch: 'line', first: `git checkout -q v${first}` })
    const hotfix = await release('line')
    const line = `line-${first.split('.').slice(0, 2).join('.')}`
    expect(tagsOf('api')).toEqual({ latest: whole, next, [line]: hotfix })
  })

  it('are tested by lines of other workflows that name what there is', async () => {
    const { play } = story
    const clone = await play.checkout('main')
    for (const [workflow, job] of [
      ['verify', 'verify'],
      ['nightly', 'nightly'],
    ] as const) {
      await play.runJob(clone, workflow, job)
    }
    expect(play.played().filter((line) => line.startsWith('docker')).length).toBeGreaterThan(0)
  })
})
