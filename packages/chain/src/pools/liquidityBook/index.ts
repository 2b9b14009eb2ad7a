export { applyLog, ignoredTopics, replacingTopics, topics } from './applyLog.js'
export { creationTopics, discover, refAt, refOf } from './discover.js'
export { load } from './load.js'
