export { creationTopics, discover, refAt, refOf } from './discover.js'
export { applyLog, ignoredTopics, load, replacingTopics, topics } from './load.js'
