export { compatNames } from '../config/compatNames.js'
export { endpoints } from '../docs/endpoints.js'
export { checkAnswer, type GivenAnswer, templateOf } from './checkAnswer.js'
export { checkGraph, checkRoutes, type QuotedGraph } from './checkGraph.js'
export { frozenSnapshot, ISLAND, PURR, REEF, UBTC, USDC, WHYPE } from './frozenMarket.js'
export { hostilePaths } from './hostile.js'
export {
  type DevnetApi,
  type ServedApi,
  startDevnetApi,
  startServedApi,
} from './startDevnetApi.js'
export { RECEIVED_AT_MS, startTestApi, TEST_ROUTER, type TestApi } from './startTestApi.js'
export { startTestWorld, type TestWorld } from './startTestWorld.js'
