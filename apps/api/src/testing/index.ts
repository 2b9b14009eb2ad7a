export { checkGraph, checkRoutes, type QuotedGraph } from './checkGraph.js'
export { frozenSnapshot, PURR, USDC, WHYPE } from './frozenMarket.js'
export { RECEIVED_AT_MS, TEST_ROUTER } from './startTestApi.js'
export { startTestWorld, type TestWorld } from './startTestWorld.js'
