// Curve's registries of both kinds of pools have the same functions.
export { creationTopics, discover, refAt, refOf } from '../curveStableSwap/discover.js'
export { applyLog, glance, ignoredTopics, load, replacingTopics, topics } from './load.js'
