import { defineConfig, type Plugin } from 'vite'
import { licencesOf } from '../../scripts/licences.mjs'

/** Writes the licences of the fonts and the libraries in the page beside it. */
const licences: Plugin = {
  name: 'licences',
  generateBundle() {
    const source = licencesOf(this.getModuleIds())
    this.emitFile({ type: 'asset', fileName: 'THIRD_PARTY_LICENSES.txt', source })
  },
}

export default defineConfig({
  plugins: [licences],
  build: {
    // `light-dark()` in the styles, and everything older.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // A `data:` address would need a looser content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
