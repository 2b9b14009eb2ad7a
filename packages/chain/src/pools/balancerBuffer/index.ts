export * from './discover.js'
export * from './load.js'
