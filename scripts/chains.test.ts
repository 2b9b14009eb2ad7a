// What Braid knows of a chain is one record: no other code that ships names one.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const NAMED = /\b(999|WHYPE|HYPE|HyperEVM)\b/
/** Records, tests and what they are made of, and what stands for the chain of the default by purpose. */
const MAY_NAME =
  /\/chains\/|\.(test|e2e|fuzz)\.tsx?$|\/src\/(testing|tests)\/|^packages\/(worlds|e2e|bench)\/|^packages\/contracts\/src\/shipped\.ts$|^apps\/demo\//

const SHIPPED = ['packages/*/src/*', 'apps/*/src/*', 'apps/*/index.html']

it('no source names a chain but its record', () => {
  const listed = execFileSync('git', ['ls-files', ...SHIPPED], { encoding: 'utf8' })
  const files = listed.split('\n').filter((file) => file !== '' && !MAY_NAME.test(file))
  expect(files.length).toBeGreaterThan(500)
  const named = files.filter((file) => NAMED.test(readFileSync(file, 'utf8')))
  expect(named).toEqual([])
})
