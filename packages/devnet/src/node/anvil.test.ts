import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { type Anvil, findAnvil, spawnAnvil } from './anvil.js'

let anvil: Anvil | undefined

afterEach(() => anvil?.stop())

test('an unknown platform is rejected by name', () => {
  expect(() => findAnvil('plan9', 'mips')).toThrow(
    expect.objectContaining({
      code: 'NO_ANVIL_BINARY',
      details: expect.objectContaining({ platform: 'plan9', arch: 'mips' }),
    }),
  )
})

test('a platform without an installed package is rejected with the name of the package', () => {
  const other = process.platform === 'darwin' ? 'linux' : 'darwin'
  expect(() => findAnvil(other, 'arm64')).toThrow(
    expect.objectContaining({
      code: 'NO_ANVIL_BINARY',
      details: expect.objectContaining({ wanted: `@foundry-rs/anvil-${other}-arm64/bin/anvil` }),
    }),
  )
})

test('a port in use is rejected with the output of the node', async () => {
  anvil = await spawnAnvil(0, [])
  await expect(spawnAnvil(anvil.port, [])).rejects.toMatchObject({
    code: 'ANVIL_START',
    details: { port: anvil.port, output: expect.stringContaining('ddress already in use') },
  })
})

test('a wrong argument is rejected with the output of the node', async () => {
  await expect(spawnAnvil(0, ['--no-such-flag'])).rejects.toMatchObject({
    code: 'ANVIL_START',
    details: { output: expect.stringContaining('--no-such-flag') },
  })
})

test('stop leaves no process and may be called twice', async () => {
  anvil = await spawnAnvil(0, [])
  expect(isAlive(anvil.pid)).toBe(true)
  await anvil.stop()
  expect(isAlive(anvil.pid)).toBe(false)
  await anvil.stop()
})

test('an unexpected exit of the node is reported', async () => {
  anvil = await spawnAnvil(0, [])
  process.kill(anvil.pid, 'SIGKILL')
  expect(await anvil.died).toBe('anvil ended with SIGKILL')
})

test('a killed parent leaves no node behind', { skip: process.platform === 'win32' }, async () => {
  const script = fileURLToPath(new URL('../testing/orphan.mjs', import.meta.url))
  const parent = spawn(process.execPath, ['--conditions=src', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const failed = once(parent, 'exit').then(([code]) => {
    throw new Error(`orphan.mjs ended with ${code}`)
  })
  const [line] = await Promise.race([once(parent.stdout, 'data'), failed])
  const pid = Number(`${line}`)
  expect(isAlive(pid)).toBe(true)
  const gone = once(parent, 'exit')
  parent.kill('SIGKILL')
  await gone
  // Ends with the test's own timeout if the node stays.
  while (isAlive(pid)) await sleep(10)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
