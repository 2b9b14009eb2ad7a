// A registry of this machine: it has what is published to it, and sends all other questions to npm's.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * Starts a registry for packages whose names `isOurs` knows. `upstream` is the one of all others; `refused` are names
 * whose publication fails, and can be changed while it runs. Gives its URL, and what it has: packuments by name.
 */
export async function startRegistry({ isOurs, upstream, refused = new Set() }) {
  const packages = new Map()
  const tarballs = new Map()

  /** Takes a publication as npm sends it: a version, its tarball in base64, and the tag that moves to it. */
  function take(name, { versions, _attachments: attachments, 'dist-tags': tags }) {
    const known = packages.get(name) ?? { name, versions: {}, 'dist-tags': {} }
    for (const [version, manifest] of Object.entries(versions)) {
      if (known.versions[version]) return 409
      const [{ data }] = Object.values(attachments)
      const path = `/-/${encodeURIComponent(name)}/${version}.tgz`
      tarballs.set(path, Buffer.from(data, 'base64'))
      known.versions[version] = {
        ...manifest,
        dist: { ...manifest.dist, tarball: `${url}${path.slice(1)}` },
      }
    }
    // As npm's registry: the first version is the latest, whatever its tag.
    known['dist-tags'] = { latest: Object.keys(versions)[0], ...known['dist-tags'], ...tags }
    packages.set(name, known)
    return 201
  }

  const server = createServer(async (request, response) => {
    const path = new URL(request.url, url).pathname
    const name = decodeURIComponent(path.slice(1))
    const answer = (status, body = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(body instanceof Buffer ? body : JSON.stringify(body))
    if (request.method === 'PUT') {
      const body = JSON.parse(await text(request))
      return answer(refused.has(name) ? 500 : take(name, body))
    }
    if (tarballs.has(path)) return answer(200, tarballs.get(path))
    if (packages.has(name)) return answer(200, packages.get(name))
    if (isOurs(name) || upstream === undefined) return answer(404)
    response.writeHead(302, { location: new URL(request.url.slice(1), upstream).href }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}/`
  return { url, packages, close: () => server.close() }
}
