// The bytecode that is copied into the sources, because the packages that publish it are large and only this is used
// of them. Both are under the MIT licence, which goes with it. `vitest -u` copies it again.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const require = createRequire(import.meta.url)
const read = (path: string) => readFileSync(path, 'utf8')
const script = require.resolve('@uniswap/v4-periphery/lib/permit2/test/utils/DeployPermit2.sol')

it('Permit2 and Multicall3 are as their authors and viem publish them', async () => {
  // Its authors publish the runtime code as a literal in a test script.
  const digits = /hex"([0-9a-f]+)"/.exec(read(script))?.[1]
  // viem contains the creation code for calls without a deployment, and does not export it.
  const inside = createRequire(require.resolve('viem'))
  const { multicall3Bytecode } = inside('./constants/contracts.js')
  const notices = [join(script, '../../../LICENSE'), inside.resolve('../LICENSE')].map(read)
  const [first, second] = notices.map((text) => text.trim())
  const text = `/*!
Permit2 of Uniswap:

${first}

Multicall3 as viem has it:

${second}
*/

/** Runtime code of Permit2. */
export const permit2Code = '0x${digits}'

/** Creation code of Multicall3. */
export const multicall3Code = '${multicall3Bytecode}'
`
  await expect(text).toMatchFileSnapshot('../generated/code.ts')
})
