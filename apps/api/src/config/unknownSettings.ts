// Names in the environment that look like settings and are none, because a misspelt setting has no effect.

import { ownValue } from '@braid-swap/core/advanced'
import leven from 'leven'
import { settings } from './settings.js'

/** The file of settings, and what Kubernetes sets for a service named `braid`. */
const OTHERS = /^BRAID_(CONFIG|SERVICE_|PORT($|_))/

/** One line for each unknown `BRAID_*` name, with the nearest setting. */
export function unknownSettings(environment: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('BRAID_') && !OTHERS.test(name))
    .filter((name) => !isSetting(name))
    .map((name) => `${name} is not a setting; the nearest is ${nearestTo(name)}`)
}

/** True if a setting has this name. */
export function isSetting(name: string): boolean {
  return ownValue<unknown>(settings, name) !== undefined
}

/** The setting whose name differs least; a common beginning counts more, because endings are often left out. */
export function nearestTo(name: string): string {
  const distance = (one: string) => leven(one, name) - commonStart(one, name)
  return Object.keys(settings).reduce((best, one) => (distance(one) < distance(best) ? one : best))
}

function commonStart(a: string, b: string): number {
  const end = [...a].findIndex((letter, at) => letter !== b[at])
  return end < 0 ? a.length : end
}
