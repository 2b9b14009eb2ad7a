export { describeWithRedis } from './describeWithRedis.js'
export { type RedisServer, redisServerPath, startRedis } from './redisServer.js'
