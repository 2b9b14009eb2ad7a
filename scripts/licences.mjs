/** The licences of third parties whose code is in a bundle, as the text of a file beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the package that a module is of; undefined for this repository's own. */
function packageOf(module) {
  const [, within] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module) ?? []
  return within
}

/** Name, version and licence of each package that one of these modules is of, sorted by name. */
export function licencesOf(modules) {
  const folders = new Set([...modules].map(packageOf))
  const licences = [...folders].flatMap((folder) => {
    if (folder === undefined || !existsSync(join(folder, 'package.json'))) return []
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const { name, version, license } = manifest
    const file = readdirSync(folder).find((found) => /^licen[cs]e/i.test(found))
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
    return [`${name} ${version} (${license})\n\n${text}\n`]
  })
  return licences.sort().join(`\n${'-'.repeat(80)}\n\n`)
}
