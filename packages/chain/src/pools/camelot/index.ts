export { creationTopics, discover, findCalls, refAt, refOf } from './discover.js'
export { applyLog, glance, ignoredTopics, load, replacingTopics, topics } from './load.js'
