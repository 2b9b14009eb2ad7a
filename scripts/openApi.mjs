// Writes the description of the API into the site of `pnpm run docs`, for tools that read OpenAPI. Needs a build.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApi } from '../apps/api/dist/index.js'
import { root } from './pack.mjs'

writeFileSync(join(root, '.generated-docs/openapi.json'), JSON.stringify(openApi(999), null, 2))
