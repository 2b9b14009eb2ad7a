export { checkDeployment, type DeploymentReport } from './checkDeployment.js'
export { clearSigningDescriptor, type RouterAt } from './clearSigning.js'
export {
  executorOf,
  type RouterDeployment,
  routerDeployment,
  SINGLETON_FACTORY,
} from './deployment.js'
/** Chain id to the addresses of the public deployment there, in lower case; absent where there is none. */
export { deployments } from './generated/deployments.js'
export {
  /** The executor's interface, for reading traces; it is called by its router alone. */
  executorAbi,
  /** Creation code; the router deploys it by itself. */
  executorBytecode,
} from './generated/executor.js'
export {
  /** The router's interface, with every error that can reach its caller, the executor's included. */
  routerAbi,
  /** Creation code, without the constructor's argument. */
  routerBytecode,
} from './generated/router.js'
