export {
  checkDeployment,
  type DeploymentReport,
  type DeploymentToCheck,
  type NodeRequests,
} from './checkDeployment.js'
export { clearSigningDescriptor, type RouterAt } from './clearSigning.js'
export {
  type Creation,
  type ExecutorDeployment,
  executorDeployment,
  type KnownExecutor,
  type RouterDeployment,
  routerDeployment,
  SINGLETON_FACTORY,
} from './deployment.js'
export { executorFor, knownExecutors } from './executors.js'
/** The public deployments by chain id, with addresses in lower case. */
export { deployments } from './generated/deployments.js'
export {
  /** The executor's interface, for reading traces; only its router can call it. */
  executorAbi,
  /** Creation code, without the constructor's argument. */
  executorBytecode,
} from './generated/executor.js'
export {
  poolAskerAbi,
  /** Code that asks pools what they pay in an `eth_call` without a recipient; it is never deployed. */
  poolAskerBytecode,
} from './generated/poolAsker.js'
export {
  /** The router's interface with all errors that can reach its caller, including the executor's. */
  routerAbi,
  /** Creation code, without the constructor's argument. */
  routerBytecode,
} from './generated/router.js'
export { shippedChain, shippedChainId, shippedRouter } from './shipped.js'
