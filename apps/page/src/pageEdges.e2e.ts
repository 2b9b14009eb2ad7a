// What a visitor meets rarely: every wallet, fault, lie, width and state of the page.

import { describe } from 'vitest'
import { accessTests } from './testing/accessTests.js'
import { chromiumPath, withoutBrowser } from './testing/browser.js'
import { coreTests } from './testing/coreTests.js'
import { hostileTests } from './testing/hostileTests.js'
import { lookTests } from './testing/lookTests.js'
import { outcomeTests } from './testing/outcomeTests.js'
import { receiveTests } from './testing/receiveTests.js'
import { startWorld } from './testing/startWorld.js'
import { walletTests } from './testing/walletTests.js'

describe.skipIf(!chromiumPath)(`the edges of the page in a real browser${withoutBrowser}`, () => {
  const world = startWorld()
  coreTests(world)
  accessTests(world)
  lookTests(world)
  receiveTests(world)
  walletTests(world)
  outcomeTests(world)
  hostileTests(world)
})
