export { demoMain, type RunningDemo, root, startDemo } from './startDemo.js'
export { type Program, startProgram } from './startProgram.js'
