import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

it('ends without a complaint when its reader has enough, as of `braid --help | head -1`', async () => {
  const program = resolve(import.meta.dirname, '../bin/braid.js')
  const child = spawn(process.execPath, [program, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const [complaints, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect([complaints, code]).toEqual(['', 0])
})
