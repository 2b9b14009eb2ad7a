import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { nodeFlags } from './heap.js'

it('the image starts Node with the flags of a process that answers', () => {
  const file = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const [, words] = /^ENTRYPOINT (\[.*\])$/m.exec(file)!
  const [node, ...rest] = JSON.parse(words!)
  expect(node).toBe('node')
  expect(rest.slice(0, -1)).toEqual(nodeFlags)
})
