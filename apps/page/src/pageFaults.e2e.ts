// What a visitor must never lose by: every wallet, outcome and lie.

import { describe } from 'vitest'
import { chromiumPath, withoutBrowser } from './testing/browser.js'
import { hostileTests } from './testing/hostileTests.js'
import { outcomeTests } from './testing/outcomeTests.js'
import { startWorld } from './testing/startWorld.js'
import { walletTests } from './testing/walletTests.js'

describe.skipIf(!chromiumPath)(`faults beside the page in a real browser${withoutBrowser}`, () => {
  const world = startWorld()
  walletTests(world)
  outcomeTests(world)
  hostileTests(world)
})
