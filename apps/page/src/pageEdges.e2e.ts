// What only a browser can show: every width and state of the page, its layout, and core as modules.

import { describe } from 'vitest'
import { accessTests } from './testing/accessTests.js'
import { chromiumPath, withoutBrowser } from './testing/browser.js'
import { coreTests } from './testing/coreTests.js'
import { lookTests } from './testing/lookTests.js'
import { startWorld } from './testing/startWorld.js'

describe.skipIf(!chromiumPath)(`the edges of the page in a real browser${withoutBrowser}`, () => {
  const world = startWorld()
  coreTests(world)
  accessTests(world)
  lookTests(world)
})
