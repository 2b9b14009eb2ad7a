export { createApp } from './app.js'
export { type ApiConfig, ConfigError, configDefaults, readConfig } from './config.js'
export { type RouterCode, RouterUnconfirmedError } from './deployment.js'
export { ApiError, type ErrorCode, type ErrorEntry, errorTable, type Issue } from './errors.js'
export { type KeyStore, openKeyStore } from './keyStore.js'
export {
  createKey,
  KeysFileError,
  KeysFileUnwritableError,
  type KeyTerms,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
  type StoredKey,
} from './keys.js'
export type { Limits } from './limiter.js'
export type { Market, MarketState } from './market.js'
export { openApi } from './openapi.js'
export type { AppConfig, AppOptions } from './parts.js'
export { ENGINE_VERSION, quoteIdOf, snapshotIdOf } from './quoteId.js'
export { type RunningApi, type StartOptions, startApi } from './startApi.js'
export { readTokenList, type TokenList, TokenListError } from './tokenList.js'
export * as wire from './wire/responses.js'
