import type { Address } from '@braid-swap/core'
import type { TokenList } from '../tokens/tokenList.js'
import type { ApiConfig } from './config.js'

/** The settings of the app itself, without network and files. */
export type AppConfig = Pick<
  ApiConfig,
  | 'chain'
  | 'router'
  | 'wrappedNative'
  | 'demo'
  | 'usdTokens'
  | 'venues'
  | 'intermediates'
  | 'maxStateAgeMs'
  | 'checksBlockTime'
  | 'nodeTimeoutMs'
  | 'requestMs'
  | 'maxConcurrent'
  | 'maxRequestMs'
  | 'strictChecksum'
  | 'compat'
  | 'keyLimits'
  | 'keyless'
  | 'streams'
  | 'simulationLimits'
> &
  Partial<Pick<ApiConfig, 'page' | 'proxies' | 'rpcRequestsPerMinute'>> & {
    readonly chainId: number
    readonly tokenList: TokenList
    /** The factories of the venues, in lower case; none are known if absent. */
    readonly factories?: ReadonlySet<Address>
  }
