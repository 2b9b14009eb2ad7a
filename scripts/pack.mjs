// The packages that a release publishes, for the scripts that pack them.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folders, relative to `root`, and manifests of all packages that are not private. */
export function publicPackages(root) {
  return ['packages', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind)).flatMap((name) => {
      const folder = `${kind}/${name}`
      const file = join(root, folder, 'package.json')
      if (!existsSync(file)) return []
      const manifest = JSON.parse(readFileSync(file, 'utf8'))
      return manifest.private ? [] : [{ folder, manifest }]
    }),
  )
}
