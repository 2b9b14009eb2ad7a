/**
 * Compiles the contracts with the pinned solc and writes `src/generated/`.
 *
 *   node scripts/generate.mjs               compile and write
 *   node scripts/generate.mjs --reproduce   compile and compare with the manifest; write nothing
 *   node scripts/generate.mjs --check       fail if a generated file is stale; do not compile
 *
 * `src/generated/manifest.json` records a hash of all inputs of the compiler, a hash of each
 * generated file, and the hash and size of each contract's code. `--check` compares the first two;
 * `--reproduce` compares the code. A Foundry test also compares the bytecode.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONTRACTS, SETTINGS } from './compiler.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const generated = join(root, 'src/generated')
const require = createRequire(import.meta.url)
const sha256 = (text) => createHash('sha256').update(text).digest('hex')
const read = (path) => readFileSync(join(root, path), 'utf8')

/** All Solidity sources under `src` by path, in a fixed order. */
function readSources() {
  const paths = readdirSync(join(root, 'src'), { recursive: true })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.sol'))
    .sort()
  return Object.fromEntries(paths.map((path) => [path, { content: read(path) }]))
}

/** A hash of all inputs: compiler version, settings, sources, these scripts, and the deployments. */
function hashInputs(sources) {
  const { version } = require('solc/package.json')
  const scripts = [read('scripts/generate.mjs'), read('scripts/compiler.mjs')]
  return sha256(JSON.stringify([version, SETTINGS, sources, scripts, readDeployments()]))
}

/**
 * Reads and checks `deployments.json`: chain id to `{ router, executors }`, each executor with its
 * version, address, code hash and families, the newest first; hex in lower case.
 */
function readDeployments() {
  const entries = Object.entries(JSON.parse(read('deployments.json')))
  return entries.map(([chainId, { router, executors, ...rest }]) => {
    if (!/^[1-9]\d*$/.test(chainId) || Object.keys(rest).length > 0 || !executors?.length) {
      throw new Error(`deployments.json: wanted "<chainId>": { router, executors }, got ${chainId}`)
    }
    const hex = (text, bytes) => {
      if (new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`).test(text)) return text.toLowerCase()
      throw new Error(`deployments.json: chain ${chainId} wants ${bytes} bytes, got ${text}`)
    }
    const read = executors.map(({ version, address, codeHash, families }) => ({
      ...{ version, address: hex(address, 20), codeHash: hex(codeHash, 32), families },
    }))
    if (read.some(({ version }, i) => i > 0 && version >= read[i - 1].version)) {
      throw new Error(`deployments.json: chain ${chainId} wants the newest executor first`)
    }
    return [chainId, { router: hex(router, 20), executors: read }]
  })
}

/** Compiles. A warning is an error, because nobody reads the warnings of a build that succeeds. */
function compile(sources) {
  const solc = require('solc')
  const input = { language: 'Solidity', sources, settings: SETTINGS }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  if (output.errors?.length > 0) {
    throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'))
  }
  const names = namesOfImmutables(output.sources)
  const artifacts = Object.entries(CONTRACTS).map(([path, name]) => {
    const { abi, evm } = output.contracts[path][name]
    const { object, immutableReferences } = evm.deployedBytecode
    const immutables = Object.entries(immutableReferences).map(([id, places]) => [
      names.get(Number(id)),
      places.map(({ start }) => start),
    ])
    return [
      name,
      {
        ...{ abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${object}` },
        immutables: Object.fromEntries(immutables),
      },
    ]
  })
  return Object.fromEntries(artifacts)
}

/** The name of each immutable by its id in the syntax tree, without the mark of a private one. */
function namesOfImmutables(sources) {
  const contracts = Object.values(sources).flatMap(({ ast }) => ast.nodes)
  const members = contracts.flatMap(({ nodes = [] }) => nodes)
  const immutables = members.filter(({ mutability }) => mutability === 'immutable')
  return new Map(immutables.map(({ id, name }) => [id, name.replace(/^_/, '')]))
}

/** Adds the executor's errors to the router's ABI, because they reach a caller through the router. */
function withExecutorErrors({ Router, Executor, ...rest }) {
  const known = new Set(Router.abi.filter(isError).map(({ name }) => name))
  const added = Executor.abi.filter((item) => isError(item) && !known.has(item.name))
  return { Router: { ...Router, abi: [...Router.abi, ...added] }, Executor, ...rest }
}

function isError(item) {
  return item.type === 'error'
}

function writeArtifact(name, { abi, bytecode, deployedBytecode, immutables }) {
  const id = `${name[0].toLowerCase()}${name.slice(1)}`
  return `// Generated by scripts/generate.mjs from the Solidity sources. Do not edit.

export const ${id}Abi = ${JSON.stringify(abi, null, 2)} as const

export const ${id}Bytecode =
  '${bytecode}'

export const ${id}DeployedBytecode =
  '${deployedBytecode}'
${
  name !== 'Router' && name !== 'Executor'
    ? ''
    : `
/** Where the deployed code contains each immutable, in bytes from its start. */
export const ${id}Immutables = ${JSON.stringify(immutables, null, 2)} as const
`
}`
}

function writeDeployments() {
  return `// Generated by scripts/generate.mjs from deployments.json. Do not edit.

import type { KnownExecutor } from '../deployment.js'

export const deployments: {
  readonly [chainId: number]: {
    readonly router: \`0x\${string}\`
    readonly executors: readonly KnownExecutor[]
  }
} = ${JSON.stringify(Object.fromEntries(readDeployments()), null, 2)}
`
}

function generate(sources) {
  const artifacts = withExecutorErrors(compile(sources))
  const files = Object.fromEntries(
    Object.entries(artifacts).map(([name, artifact]) => [
      `${name[0].toLowerCase()}${name.slice(1)}.ts`,
      writeArtifact(name, artifact),
    ]),
  )
  files['deployments.ts'] = writeDeployments()
  mkdirSync(generated, { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(generated, file), text)
  const outputs = Object.entries(files).map(([file, text]) => [file, sha256(text)])
  const code = Object.entries(artifacts).map(([name, artifact]) => [name, describeCode(artifact)])
  const manifest = {
    inputs: hashInputs(sources),
    outputs: Object.fromEntries(outputs),
    code: Object.fromEntries(code),
  }
  writeFileSync(join(generated, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Identifies a contract's code: the hash of its creation code and the size of its runtime code. */
function describeCode({ bytecode, deployedBytecode }) {
  return { creationSha256: sha256(bytecode), runtimeBytes: deployedBytecode.length / 2 - 1 }
}

/** The names of the stale files, and `sources` if an input changed; empty if all are current. */
function findStale(sources) {
  const path = join(generated, 'manifest.json')
  if (!existsSync(path)) return ['manifest.json']
  const { inputs, outputs } = JSON.parse(readFileSync(path, 'utf8'))
  const stale = Object.entries(outputs).filter(([file, hash]) => {
    const output = join(generated, file)
    return !existsSync(output) || sha256(readFileSync(output, 'utf8')) !== hash
  })
  return [...(inputs === hashInputs(sources) ? [] : ['sources']), ...stale.map(([file]) => file)]
}

/** The contracts whose compiled code differs from the manifest. */
function findUnreproduced(sources) {
  const { code } = JSON.parse(readFileSync(join(generated, 'manifest.json'), 'utf8'))
  return Object.entries(compile(sources)).filter(
    ([name, artifact]) => JSON.stringify(describeCode(artifact)) !== JSON.stringify(code[name]),
  )
}

const sources = readSources()
if (process.argv.includes('--reproduce')) {
  const others = findUnreproduced(sources).map(([name]) => name)
  console.log(
    others.length === 0 ? 'all code is as published' : `differs from the manifest: ${others}`,
  )
  process.exitCode = others.length === 0 ? 0 : 1
} else if (process.argv.includes('--check')) {
  const stale = findStale(sources)
  if (stale.length > 0) {
    console.error(`src/generated is stale (${stale.join(', ')}): run
  pnpm --filter @braid-swap/contracts generate`)
    process.exitCode = 1
  }
} else {
  generate(sources)
}
