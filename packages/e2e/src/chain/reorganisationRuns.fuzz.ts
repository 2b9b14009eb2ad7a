import { afterAll, beforeAll, it } from 'vitest'
import { type ReorganisedWorld, startReorganisedWorld, undoBlocks } from './reorganisationRuns.js'

let reorganised: ReorganisedWorld
beforeAll(async () => {
  reorganised = await startReorganisedWorld()
})
afterAll(() => reorganised?.world.chain.stop())

const depths = Array.from({ length: 20 }, (_, i) => i + 1)

it.each(depths)('a reorganisation of %d blocks leaves no trace of pools in them', (depth) =>
  undoBlocks(reorganised, depth),
)
