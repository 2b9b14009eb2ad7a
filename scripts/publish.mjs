/**
 * `node scripts/publish.mjs FOLDER`: publishes the tarballs in a folder, as they are, to the registry that npm is set
 * to. One that the registry has by this version is left out, so that a publication that broke off can be repeated.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
const npm = (words, stdio) => execFileSync('npm', words, { encoding: 'utf8', stdio })

/** Whether the registry has this version of a package. */
function isPublished({ name, version }) {
  try {
    return npm(['view', `${name}@${version}`, 'version'], ['ignore', 'pipe', 'ignore']) !== ''
  } catch {
    return false
  }
}

for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
  const tarball = join(folder, file)
  const manifest = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'])
  const { name, version } = JSON.parse(manifest)
  if (isPublished({ name, version })) console.log(`${name}@${version} is there`)
  else {
    npm(
      ['publish', tarball, '--access', 'public', '--loglevel', 'error'],
      ['ignore', 'ignore', 'inherit'],
    )
    console.log(`${name}@${version} is published`)
  }
}
