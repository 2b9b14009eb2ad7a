/**
 * The page `docs/examples/afternoon` shows the output of commands. Each is run here on the day that the page
 * tells to make, and its output compared with the page; `BRAID_WRITE_PAGES=1` writes the page instead.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDay } from '../examples/makeDay.mjs'
import { runCli } from './testing/runCli.js'

const file = resolve(import.meta.dirname, '../../../docs/examples/afternoon/README.md')
const page = readFileSync(file, 'utf8')
const day = mkdtempSync(join(tmpdir(), 'braid-day-'))
beforeAll(() => makeDay(day))
afterAll(() => rmSync(day, { recursive: true }))

/** A block with one command, and the block with its output if there is one. */
const COMMAND = /```sh\nbraid (.*)\n```\n(?:\n```text\n[^`]*```\n)?/g

/** The words of a command, as a shell passes them in a folder with the day. */
function wordsOf(command: string): readonly string[] {
  return command.split(' ').flatMap((word) => {
    if (!word.startsWith('day/')) return [word]
    if (!word.startsWith('day/*')) return [join(day, word.slice(4))]
    const names = readdirSync(day).filter((name) => name.endsWith(word.slice(5)))
    return names.sort().map((name) => join(day, name))
  })
}

it('prints what the page says, for each of its commands', async () => {
  const commands = [...page.matchAll(COMMAND)].map(([, command]) => command!)
  expect(commands.length).toBeGreaterThanOrEqual(8)
  const outputs = new Map<string, string>()
  for (const command of commands) {
    const { code, out, err } = await runCli(wordsOf(command))
    expect([code, err]).toEqual([0, ''])
    outputs.set(command, out)
  }
  const printed = page.replace(COMMAND, (_, command: string) => {
    return `\`\`\`sh\nbraid ${command}\n\`\`\`\n\n\`\`\`text\n${outputs.get(command)}\n\`\`\`\n`
  })
  if (process.env['BRAID_WRITE_PAGES']) writeFileSync(file, printed)
  else expect(page).toBe(printed)
})
