import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { answers, errorAnswer } from './answers.js'
import { runCli } from './runCli.js'

// runCli reads each `--json` answer of each test of this package with its schema.

it('every command that has --json has a schema of its answer, and no other', async () => {
  const helpOf = async (...words: string[]) => (await runCli([...words, '--help'])).out
  const namesIn = (help: string) =>
    [...help.slice(help.indexOf('\nCommands:')).matchAll(/^ {2}([a-z]+)\b/gm)].map(
      ([, name]) => name!,
    )
  const commands = namesIn(await helpOf()).filter((name) => name !== 'help')
  const parts = namesIn(await helpOf('snapshot')).filter((name) => name !== 'help')
  const lines = [...commands.map((name) => [name]), ...parts.map((name) => ['snapshot', name])]
  const helps = await Promise.all(
    lines.map(async (line) => [line.join(' '), await helpOf(...line)]),
  )
  const asked = helps.flatMap(([line, help]) => (/^ {2}--json\b/m.test(help!) ? [line] : []))
  expect(asked.sort()).toEqual(Object.keys(answers).sort())
})

it('the schemas are the file in docs', async () => {
  const $defs = Object.fromEntries(
    Object.entries({ ...answers, error: errorAnswer }).map(([name, schema]) => {
      const { $schema: _, ...form } = z.toJSONSchema(schema)
      return [name, form]
    }),
  )
  const file = fileURLToPath(new URL('../../../../docs/cli.schema.json', import.meta.url))
  const title = 'What each command of `braid` prints with --json'
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const text = JSON.stringify({ $schema, title, $defs }, null, 2)
  await expect(`${text}\n`).toMatchFileSnapshot(file)
})
