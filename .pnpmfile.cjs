// Workspace packages compile with the native TypeScript. openapi-typescript works on the syntax
// trees of the compiler before it, so it gets that one as a dependency of its own, not as a peer.
module.exports = {
  hooks: {
    readPackage(manifest) {
      if (manifest.name === 'openapi-typescript') {
        delete manifest.peerDependencies.typescript
        manifest.dependencies.typescript = '5.9.3'
      }
      return manifest
    },
  },
}
