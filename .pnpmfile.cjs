// Workspace packages compile with the native TypeScript. These work on the syntax trees of the compiler
// before it, so they get that one as a dependency of their own, not as a peer.
const ON_SYNTAX_TREES = new Set(['openapi-typescript', 'typedoc'])

module.exports = {
  hooks: {
    readPackage(manifest) {
      if (ON_SYNTAX_TREES.has(manifest.name)) {
        delete manifest.peerDependencies.typescript
        manifest.dependencies.typescript = '5.9.3'
      }
      return manifest
    },
  },
}
