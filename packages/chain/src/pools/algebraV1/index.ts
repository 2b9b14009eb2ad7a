export { applyLog, ignoredTopics, replacingTopics, topics } from './applyLog.js'
export { creationTopics, findCalls, refAt, refOf } from './discover.js'
export { examine } from './examine.js'
export { glance, load } from './load.js'
