export { checkGraph, checkRoutes, type QuotedGraph } from './checkGraph.js'
