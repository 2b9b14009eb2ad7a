/**
 * Copies the files of Swagger UI that the API serves into the package, with their licences: a dependency
 * on swagger-ui-dist would install a package that counts downloads at a third party.
 */
import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const target = resolve(import.meta.dirname, '../dist/swagger-ui')
const { resolve: find } = createRequire(import.meta.url)
const files = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']
mkdirSync(target, { recursive: true })
for (const name of [...files, 'swagger-ui-bundle.js.LICENSE.txt']) {
  copyFileSync(find(`swagger-ui-dist/${name}`), join(target, name))
}
