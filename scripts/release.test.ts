// The release of a workspace of three packages, by the lines of the workflows as they are written.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { startRelease } from './releaseStory.mjs'

const TIMEOUT_MS = 300_000

let story: Awaited<ReturnType<typeof startRelease>>
beforeAll(async () => {
  story = await startRelease()
})
afterAll(() => story.close())

it(
  'goes from a changeset to a tag, and on after a break in the middle',
  async () => {
    const { play, refused, registry } = story
    await story.change('core', 'patch')
    expect(await play.plan()).toBe('plan=version')
    await play.version()
    const { plan, clone } = await play.test()
    expect(plan).toBe('plan=publish')
    refused.add('@braid-swap/chain')
    await expect(play.publish(clone)).rejects.toThrow('core@0.1.1 is published as latest')
    refused.clear()
    expect(await play.publish(clone)).toMatch(
      /core@0\.1\.1 is there\n@braid-swap\/chain@0\.1\.1 is published as latest\n/,
    )
    const { dependencies } = registry.packages.get('@braid-swap/chain').versions['0.1.1']
    expect(dependencies).toEqual({ '@braid-swap/core': '^0.1.1' })
    // A changeset that names a private package alone asks for no version.
    await story.change('vectors', 'patch')
    expect(await play.plan()).toBe('plan=nothing')
  },
  TIMEOUT_MS,
)

it(
  'notices a change without a changeset, and says where it cannot',
  async () => {
    const { play } = story
    const clone = await play.checkout('main')
    const check =
      'git rm -q --ignore-unmatch ".changeset/*.md"; echo // > packages/core/a.js; git add .; git commit -qm a'
    await expect(play.run(clone, `${check}; node scripts/release.mjs check`)).rejects.toThrow(
      'no changesets were found',
    )
    await play.run(clone, 'git clone -q --depth 1 "file://$PWD" shallow')
    expect(await play.run(clone, 'node shallow/scripts/release.mjs check')).toContain(
      'it is shallow',
    )
  },
  TIMEOUT_MS,
)
