import { defineConfig } from 'vite'

export default defineConfig({
  build: {
    // `light-dark()` in the styles, and everything older.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // A `data:` address would need a looser content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
