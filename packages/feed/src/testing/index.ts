export { describeWithRedis } from './describeWithRedis.js'
export { openPartition, type Partition, type Rewrite } from './partition.js'
export { type RedisServer, redisServerPath, startRedis } from './redisServer.js'
