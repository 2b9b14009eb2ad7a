// What the compose files, the image and the README say, as Docker and an operator read them.

import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

/** The folder of the files for several processes. */
export const folder = resolve(import.meta.dirname, '../../operations')
/** A file, by its path from {@link folder}. */
export const text = (path: string) => readFileSync(join(folder, path), 'utf8')

/** What a compose file says of a service. */
export type Service = {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string | null>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly deploy?: { readonly replicas: number }
  readonly volumes?: readonly string[]
}
type Compose = {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}
/** The services that share a market. */
export const compose = parse(text('compose.yaml'), { merge: true }) as Compose
/** The service that does all itself. */
export const single = (parse(text('../compose.yaml')) as Compose).services[
  'api'
] as Required<Service>
const dockerfile = text('../Dockerfile')

/** The variables of the image, and its entry point, which is in the package here. */
const imageEnvironment = Object.fromEntries(
  [...dockerfile.matchAll(/\b((?:BRAID_|NODE_|HOST|PORT)\w*)=(\S+)/g)].map(([, k, v]) => [k!, v!]),
)
export const entryPoint = (
  JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)![1]!) as string[]
)[1]!.replace('/app', resolve(import.meta.dirname, '../..'))
export const healthCheck = JSON.parse(/^ {2}CMD (\[.*\])$/m.exec(dockerfile)![1]!) as string[]

/** Variables of a shell or a container. */
export type Variables = Readonly<Record<string, string>>

/** A value of a compose file, with its variables filled in as Compose does. */
export function filled(value: string, variables: Variables): string {
  return value.replace(
    /\$\{(\w+)(?:(:?[-?+])([^}]*))?\}/g,
    (_, name: string, kind = '', word = '') => {
      const given = variables[name] ?? ''
      if (kind.endsWith('?') && given === '') throw new Error(`${name}: ${word}`)
      if (kind.endsWith('+')) return given === '' ? '' : word
      return given === '' && kind.endsWith('-') ? word : given
    },
  )
}

/** The environment of a container, whose folders are folders of this machine. */
export function environmentOf(
  { environment, volumes }: Required<Service>,
  variables: Variables,
  { place, redisPort }: { readonly place: string; readonly redisPort?: number },
): Variables {
  const written = Object.entries(environment).flatMap(([name, value]) => {
    // A name without a value takes the variable of the operator's shell, if there is one.
    const taken = value === null ? variables[name] : filled(value, variables)
    return taken === undefined
      ? []
      : [[name, taken.replace('redis:6379', `127.0.0.1:${redisPort}`)]]
  })
  const inside = { ...imageEnvironment, ...(Object.fromEntries(written) as Variables) }
  const mounts = volumes.map((volume) => filled(volume, variables).split(':') as [string, string])
  const outside = (value: string) =>
    mounts.reduce((path, [source, target]) => {
      if (source.startsWith('/')) return path.replace(target, source)
      mkdirSync(join(place, source), { recursive: true })
      return path.replace(target, join(place, source))
    }, value)
  return Object.fromEntries(Object.entries(inside).map(([name, value]) => [name, outside(value)]))
}

/** The variables that a section of the README tells the operator to export. */
export function exportedFor(file: string): readonly string[] {
  const readme = text('../README.md')
  const before = readme.slice(0, readme.indexOf(`docker compose -f apps/api/${file} `))
  const line = before.slice(before.lastIndexOf('export ')).split('\n')[0]!
  return [...line.matchAll(/\b(BRAID_\w+)=/g)].map(([, name]) => name!)
}

/** The words after the service in the README's command that makes a key. */
export function keyWords(file: string): readonly string[] {
  const command = new RegExp(`^docker compose -f apps/api/${file} run --rm \\w+ (keys .*)$`, 'm')
  return command.exec(text('../README.md'))![1]!.split(' ')
}
