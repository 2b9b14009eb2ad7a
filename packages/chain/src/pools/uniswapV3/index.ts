export { applyLog, ignoredTopics, topics } from './applyLog.js'
export { creationTopic, discover, refOf } from './discover.js'
export { load } from './load.js'
