/** Lets Node load the TypeScript of this workspace as it stands. Threads that tests start stay as they are shipped. */
import module from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  module.register('./hooks.mjs', import.meta.url)
  // Vitest would register a loader that tells it of every module, and a run fails where such a message comes late.
  module.register = () => {}
}
