/**
 * Writes the lines of a changelog: the sentences of the changesets, and nothing else. That a sibling moved with a
 * package tells its reader nothing, because all packages have one version.
 */
module.exports = {
  getReleaseLine: async ({ summary }) => {
    const [first, ...others] = summary.trim().split('\n')
    return [`- ${first}`, ...others.filter(Boolean).map((line) => `  ${line}`)].join('\n')
  },
  getDependencyReleaseLine: async () => '',
}
