// The settings that the configuration has as they are, by their names there.

import type { z } from 'zod'
import { type Settings, settings } from './settings.js'

type Table = typeof settings
type Named = { readonly as: string }
/** The settings that the configuration has as they are, by their names there. */
type KeptNames = {
  [K in keyof Table as Table[K] extends Named & { readonly value: unknown } ? K : never]: K
}
type LackedNames = {
  [K in keyof Table as Table[K] extends Named ? (K extends keyof KeptNames ? never : K) : never]: K
}
type NameOf<K extends keyof Table> = Table[K] extends { readonly as: infer N extends string }
  ? N
  : never
type ValueOf<K extends keyof Table> = Readonly<Exclude<z.output<Table[K]>, undefined>>

/** What the configuration has of the settings as they are. */
export type KeptSettings = {
  readonly [K in keyof KeptNames as NameOf<K>]: ValueOf<K>
} & {
  readonly [K in keyof LackedNames as NameOf<K>]?: ValueOf<K>
}

type Default = { readonly [K in keyof KeptNames as NameOf<K>]: ValueOf<K> }

const named = Object.entries(settings).flatMap(([name, type]) =>
  'as' in type ? [{ name: name as keyof Settings, type }] : [],
)

/** The defaults of the settings that the configuration has as they are. */
export const keptDefaults = Object.fromEntries(
  named.flatMap(({ type }) => ('value' in type ? [[type.as, type.value]] : [])),
) as Partial<Default> as Default

/** The settings that the configuration has as they are, by their names there; undefined where one is not set. */
export function keptOf(
  env: {
    readonly [K in keyof Settings]?: Settings[K] | undefined
  },
): Partial<KeptSettings> {
  return Object.fromEntries(named.map(({ name, type }) => [type.as, env[name]]))
}
