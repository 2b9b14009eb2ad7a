// Starts a node, prints its process id and waits to be killed.
import '../../../../scripts/sources/register.mjs'

const { spawnAnvil } = await import('../node/anvil.ts')
const { pid } = await spawnAnvil(0, ['--chain-id', '999'])
process.stdout.write(`${pid}\n`)
setInterval(() => {}, 1000)
