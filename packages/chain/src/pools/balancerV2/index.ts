export { creationTopics, refAt, refOf, subjectOf } from './discover.js'
export { applyLog, ignoredTopics, load, replacingTopics, topics } from './load.js'
