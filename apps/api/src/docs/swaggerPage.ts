import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** A file of the API reference page (Swagger UI). */
export type PageFile = { readonly type: string; readonly body: string | Buffer }

/**
 * Content security policy: no other origins, no inline script, no inline style. Style sheets may
 * contain images, because Swagger UI's icons do.
 */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Braid API reference</title>
<link rel="stylesheet" href="/reference/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<script src="/reference/swagger-ui-bundle.js"></script>
<script src="/reference/start.js"></script>
</body>
</html>
`

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

/** The files of the API reference by path: Swagger UI for `/openapi.json`. */
export function referenceFiles(): Readonly<Record<string, PageFile>> {
  const script = 'text/javascript; charset=utf-8'
  return {
    '/reference': { type: 'text/html; charset=utf-8', body: HTML },
    '/reference/start.js': { type: script, body: START },
    '/reference/swagger-ui-bundle.js': { type: script, body: fileOf('swagger-ui-bundle.js') },
    '/reference/swagger-ui.css': {
      ...{ type: 'text/css; charset=utf-8', body: fileOf('swagger-ui.css') },
    },
  }
}

/** A file of Swagger UI: the copy in the package, or its source where nothing is built. */
function fileOf(name: string): Buffer {
  const copy = new URL(`../../dist/swagger-ui/${name}`, import.meta.url)
  const source = () => createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)
  return readFileSync(existsSync(copy) ? copy : source())
}
