export { describeWithRedis } from './describeWithRedis.js'
export { openPartition, type Partition } from './partition.js'
export { type RedisServer, redisServerPath, startRedis } from './redisServer.js'
