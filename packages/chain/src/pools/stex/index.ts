export { creationTopics, discover, refAt, refOf } from './discover.js'
export { examine } from './examine.js'
export { applyLog, ignoredTopics, load, replacingTopics, topics } from './load.js'
