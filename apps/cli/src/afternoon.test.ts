/**
 * The page `docs/examples/afternoon` tells what commands print. Each is run here, and its output compared
 * with the page; `BRAID_WRITE_PAGES=1` writes the page instead.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { runCli } from './testing/runCli.js'

const folder = resolve(import.meta.dirname, '../../../docs/examples/afternoon')
const page = readFileSync(join(folder, 'README.md'), 'utf8')

/** A block with one command, and the block with its output if there is one. */
const COMMAND = /```sh\nbraid (.*)\n```\n(?:\n```text\n[^`]*```\n)?/g

/** The words of a command in the folder of the page, as a shell passes them. */
function wordsOf(command: string): readonly string[] {
  return command.split(' ').flatMap((word) => {
    if (!word.startsWith('day/')) return [word]
    if (!word.startsWith('day/*')) return [join(folder, word)]
    const files = readdirSync(join(folder, 'day')).filter((name) => name.endsWith(word.slice(5)))
    return files.sort().map((name) => join(folder, 'day', name))
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
  if (process.env['BRAID_WRITE_PAGES']) writeFileSync(join(folder, 'README.md'), printed)
  else expect(page).toBe(printed)
})
