import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const PROGRAM = resolve(import.meta.dirname, '../../bin/braid-api.js')
const PRLIMIT = '/usr/bin/prlimit'

it('a full disk costs no key and leaves no draft and no lock', async (context) => {
  if (!existsSync(PRLIMIT)) context.skip('prlimit of util-linux is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'braid-full-'))
  const file = join(folder, 'keys.json')
  const create = [PROGRAM, 'keys', 'create', '--label', 'shop', '--file', file]
  await run(process.execPath, create)
  const before = await readFile(file, 'utf8')
  const names = (await readdir(folder)).sort()
  // No file may become larger than the one that is there.
  const limit = `--fsize=${before.length}:unlimited`
  const full = run(PRLIMIT, [limit, process.execPath, ...create])
  await expect(full).rejects.toMatchObject({
    stderr: expect.stringContaining('KEYS_FILE_UNWRITABLE'),
  })
  expect(await readFile(file, 'utf8')).toBe(before)
  expect((await readdir(folder)).sort()).toEqual(names)
  await run(process.execPath, create)
  expect(JSON.parse(await readFile(file, 'utf8')).keys.length).toBe(2)
  await rm(folder, { recursive: true })
})
