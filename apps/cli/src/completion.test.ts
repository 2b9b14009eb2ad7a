import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCli } from './testing/runCli.js'

const folder = mkdtempSync(join(tmpdir(), 'braid-completion-'))
writeFileSync(join(folder, 'market.json'), '')
afterAll(() => rmSync(folder, { recursive: true }))

/** What the key offers after a line, by a shell that has read the script. */
type Offers = (line: string) => Promise<readonly string[]>

async function scriptOf(shell: string): Promise<string> {
  const { code, out } = await runCli(['completion', shell])
  expect(code).toBe(0)
  const file = join(folder, `braid.${shell}`)
  writeFileSync(file, out)
  return file
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

/** The shell's own variables, set as the key sets them. */
const byBash: Offers = async (line) => {
  const words = line.split(' ')
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _braid; printf '%s\\n' "\${COMPREPLY[@]}"`
  const args = ['--norc', '-c', program, 'bash', await scriptOf('bash'), ...words]
  return linesOf(execFileSync('bash', args, { encoding: 'utf8' }))
}

const byFish: Offers = async (line) => {
  const args = [
    '--no-config',
    '-c',
    'source $argv[1]; complete -C $argv[2]',
    await scriptOf('fish'),
  ]
  const text = execFileSync('fish', [...args, line], { cwd: folder, encoding: 'utf8' })
  return linesOf(text).map((offer) => offer.split('\t')[0]!)
}

const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0

describe.each([
  ['bash', byBash],
  ['fish', byFish],
])('the script for %s', (shell, offersOf) => {
  it.skipIf(!has(shell))(
    'offers commands, their options and the choices of an option',
    async () => {
      expect(await offersOf('braid q')).toEqual(['quote'])
      expect(await offersOf('braid snapshot m')).toEqual(['merge'])
      expect(await offersOf('braid quote --amount-o')).toEqual(['--amount-out'])
      expect(await offersOf('braid snapshot info --j')).toEqual(['--json'])
      expect(await offersOf('braid quote --perVenue')).toEqual([])
      expect((await offersOf('braid rank --by ')).toSorted()).toEqual(['pool', 'token', 'venue'])
      expect(await offersOf('braid completion z')).toEqual(['zsh'])
    },
  )

  it.skipIf(!has(shell))('runs nothing that is typed', async () => {
    const file = join(folder, `planted-${shell}`)
    await offersOf(`braid quote --in $(>${file}) --amount-o`)
    expect(existsSync(file)).toBe(false)
  })
})

it('names a shell that it has no script for', async () => {
  const { code, err } = await runCli(['completion', 'tcsh'])
  expect([code, err]).toEqual([2, expect.stringContaining('bash, zsh, fish')])
})
