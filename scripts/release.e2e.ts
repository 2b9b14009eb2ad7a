// The release of all packages, and the kinds of releases in a small workspace, by the lines of the workflows as they
// are written: on a registry and a remote of this machine, without a secret.

import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { root } from './pack.mjs'
import { startRelease, versionIn } from './releaseStory.mjs'

let story: Awaited<ReturnType<typeof startRelease>>
/** A workspace of three packages: what a version is called does not depend on how many there are. */
let small: typeof story
// Ten packages are published, on a machine that may do other things.
vi.setConfig({ testTimeout: 1_200_000 })
beforeAll(async () => {
  story = await startRelease({ isWhole: true })
  small = await startRelease()
})
afterAll(() => {
  story?.close()
  small?.close()
})

/** Each package of an answer of `publish`, in its order, with what was said of it. */
const saidOf = (text: string) =>
  [...text.matchAll(/(@?[\w/-]+)@(\d\S*) is (there|published as \S+)/g)].map(
    ([, name, version, is]) => ({
      ...{ name: name!, version, is },
    }),
  )

it('goes on after a break in the middle, needed packages first, and tags at the end', async () => {
  const { play, refused, registry } = story
  await story.change('core', 'patch')
  expect(await play.plan()).toBe('plan=version')
  await play.version()
  const { plan, clone } = await play.test()
  expect(plan).toBe('plan=publish')
  refused.add('@braid-swap/client')
  const broken = await play.publish(clone).catch(String)
  refused.clear()
  const done = saidOf(broken)
  expect(done.map(({ name }) => name)).toContain('@braid-swap/core')
  expect(await story.tagged()).toBe('')
  const resumed = saidOf(await play.publish(clone))
  const before = new Set(done.map(({ name }) => name))
  for (const { name, is } of resumed) {
    expect([name, is]).toEqual([name, before.has(name) ? 'there' : 'published as latest'])
  }
  expect(resumed.map(({ name }) => name).sort()).toEqual([...registry.packages.keys()].sort())
  const names = resumed.map(({ name }) => name)
  const first = versionIn(clone)
  for (const [at, { name, version }] of resumed.entries()) {
    const { dependencies = {} } = registry.packages.get(name).versions[version!]
    const ours = Object.entries<string>(dependencies).filter(([one]) => names.includes(one))
    for (const [one, range] of ours) {
      expect([one, range]).toEqual([one, expect.stringMatching(`^\\^?${first}$`)])
      expect(names.indexOf(one)).toBeLessThan(at)
    }
  }
  expect(await story.tagged()).toMatch(new RegExp(`refs/tags/v${first}$`))
  expect(await play.plan()).toBe('plan=nothing')
  // A changeset that names a private package alone asks for no version.
  await story.change('vectors', 'patch')
  expect(await play.plan()).toBe('plan=nothing')
})

it('notices a change without a changeset, and says where it cannot', async () => {
  const { play } = small
  const clone = await play.checkout('main')
  const check =
    'git rm -q --ignore-unmatch ".changeset/*.md"; echo // > packages/core/a.js; git add .; git commit -qm a'
  await expect(play.run(clone, `${check}; node scripts/release.mjs check`)).rejects.toThrow(
    'no changesets were found',
  )
  await play.run(clone, 'git clone -q --depth 1 "file://$PWD" shallow')
  expect(await play.run(clone, 'node shallow/scripts/release.mjs check')).toContain('it is shallow')
})

it('gives a hotfix of an older line a tag of its own, and a prerelease one beside the latest', async () => {
  const { change, release, tagsOf, tagged } = small
  await change('core', 'patch')
  expect(await release()).toBe('0.1.1')
  await change('core', 'minor')
  expect(await release()).toBe('0.2.0')
  expect(tagsOf('core')).toEqual({ latest: '0.2.0' })
  await change('core', 'patch', { branch: 'line-0.1', first: 'git checkout -q v0.1.1' })
  expect(await release('line-0.1')).toBe('0.1.2')
  expect(tagsOf('core')).toEqual({ latest: '0.2.0', 'line-0.1': '0.1.2' })
  const changesets = join(root, 'node_modules/@changesets/cli/bin.js')
  await change('core', 'patch', { first: `node ${changesets} pre enter next` })
  expect(await release()).toBe('0.2.1-next.0')
  expect(tagsOf('core')).toMatchObject({ latest: '0.2.0', next: '0.2.1-next.0' })
  for (const version of ['0.1.1', '0.2.0', '0.1.2', '0.2.1-next.0']) {
    expect(await tagged()).toContain(`refs/tags/v${version}`)
  }
})

it('names only what is there in the lines that run for each push and each night', async () => {
  const { play } = story
  const clone = await play.checkout('main')
  for (const name of ['verify', 'nightly']) await play.runJob(clone, name, name)
  const played = play.played().join('\n')
  for (const line of ['pnpm@10.34.9 fuzz', 'pnpm@10.34.9 mutants --seed 7', 'npm test -- --all']) {
    expect(played).toContain(line)
  }
  // An image of each architecture, and one name for both.
  const docker = (words: string) => played.split(`docker buildx ${words}`).length - 1
  expect([docker('build '), docker('imagetools create')]).toEqual([2, 1])
})
