// What a visitor meets rarely: every width and state of the page, keys, amounts to receive, and what guards an order.

import { describe } from 'vitest'
import { accessTests } from './testing/accessTests.js'
import { chromiumPath, withoutBrowser } from './testing/browser.js'
import { coreTests } from './testing/coreTests.js'
import { guardTests } from './testing/guardTests.js'
import { keyTests } from './testing/keyTests.js'
import { lookTests } from './testing/lookTests.js'
import { receiveTests } from './testing/receiveTests.js'
import { startWorld } from './testing/startWorld.js'

describe.skipIf(!chromiumPath)(`the edges of the page in a real browser${withoutBrowser}`, () => {
  const world = startWorld()
  coreTests(world)
  accessTests(world)
  lookTests(world)
  receiveTests(world)
  keyTests(world)
  // Last, because one of its swaps moves a price far.
  guardTests(world)
})
