export { creationTopic, discover, refOf } from './discover.js'
export { applyLog, ignoredTopics, load, topics } from './load.js'
