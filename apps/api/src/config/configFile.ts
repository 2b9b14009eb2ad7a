// Settings in a JSON file, for operators who keep them out of the environment.

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError } from './configError.js'
import { isSetting, nearestTo } from './unknownSettings.js'

const fileSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

/** The settings in the file that `BRAID_CONFIG` names. Throws {@link ConfigError} for other names. */
export function readConfigFile({
  BRAID_CONFIG: file,
}: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  if (file === undefined) return {}
  const refuse = (line: string, cause?: unknown) =>
    new ConfigError([`BRAID_CONFIG: ${file}: ${line}`], cause)
  let values: z.output<typeof fileSchema>
  let names: readonly string[]
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'))
    values = fileSchema.parse(json)
    names = Object.keys(json as object) // from the raw file, because the schema drops `__proto__`
  } catch (cause) {
    throw refuse('missing, or not a JSON object of strings, numbers and booleans', cause)
  }
  const unknown = names.find((name) => !isSetting(name))
  if (unknown !== undefined)
    throw refuse(`${unknown} is not a setting; the nearest is ${nearestTo(unknown)}`)
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value}`]))
}
