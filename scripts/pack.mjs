// Packs packages as a release does, for the scripts that check, install or list them.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

/** Returns folders, relative to a checkout, and manifests of all packages that a release publishes. */
export function publicPackages(checkout = root) {
  return ['packages', 'apps'].flatMap((kind) =>
    readdirSync(join(checkout, kind)).flatMap((name) => {
      const folder = `${kind}/${name}`
      const file = join(checkout, folder, 'package.json')
      if (!existsSync(file)) return []
      const manifest = JSON.parse(readFileSync(file, 'utf8'))
      return manifest.private ? [] : [{ folder, manifest }]
    }),
  )
}

/** Packs built packages of a checkout into a folder. Returns the tarball of each by its package's name. */
export function pack(packages, destination, options = [], checkout = root) {
  const filters = packages.flatMap(({ folder }) => ['--filter', `./${folder}`])
  execFileSync(
    'pnpm',
    ['--silent', '-r', ...filters, 'pack', '--pack-destination', destination, ...options],
    {
      cwd: checkout,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    },
  )
  const tarballs = packages.map(({ manifest: { name, version } }) => [
    name,
    join(destination, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`),
  ])
  return Object.fromEntries(tarballs)
}
