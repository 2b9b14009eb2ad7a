// Names in the environment that look like settings and are none, because a misspelt setting has no effect.

import { ownValue } from '@braid-swap/core/advanced'
import leven from 'leven'
import { settings } from './settings.js'

/** What Kubernetes sets for a service named `braid`. */
const OTHERS = /^BRAID_(SERVICE_|PORT($|_))/

/** One line for each unknown `BRAID_*` name, with the nearest setting. */
export function unknownSettings(environment: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('BRAID_') && !OTHERS.test(name))
    .filter((name) => ownValue<unknown>(settings, name) === undefined)
    .map((name) => `${name} is not a setting; the nearest is ${nearestTo(name)}`)
}

/** The setting whose name differs least; a common beginning counts more, because endings are often left out. */
function nearestTo(name: string): string {
  const distance = (one: string) => leven(one, name) - commonStart(one, name)
  return Object.keys(settings).reduce((best, one) => (distance(one) < distance(best) ? one : best))
}

function commonStart(a: string, b: string): number {
  const end = [...a].findIndex((letter, at) => letter !== b[at])
  return end < 0 ? a.length : end
}
