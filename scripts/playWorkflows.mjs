// Plays the files of .github/workflows on this machine: each line of them runs as it is written, against a local
// remote and a local registry, without a secret. What would test or build for minutes, and Docker, is only named.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { parse } from 'yaml'

/** What stands in for programs: `docker` is written down, tests are a line of ours, pnpm is asked what is a step of a release. */
const STAND_INS = {
  docker: 'echo "docker $*" >> "$PLAYED"; cat > /dev/null',
  npm: 'if [ "$1" = test ]; then echo "npm $*" >> "$PLAYED"; eval "$TEST"; else npm_config_registry=$REGISTRY exec "$NPM" "$@"; fi',
  bash: 'if [ "$1" = .ci/run ]; then [ -f "$1" ]; else exec /bin/bash "$@"; fi',
  npx: `[ "$1 $2" = "--yes pnpm@10.34.9" ] || { echo "npx $*: not our pnpm" >&2; exit 1; }
case "$3 $4 $5" in
  -*) exec "$NPX" "$@" ;;
  "exec node scripts/release.mjs") shift 4; exec node "$@" ;;
  "exec node "*) [ -f "$5" ] || exit 1 ;;
  install*) ;;
  *) node -e 'process.exit(require("./package.json").scripts[process.argv[1]] ? 0 : 1)' "$3" || exit 1 ;;
esac
echo "npx $*" >> "$PLAYED"`,
}

function writeStandIns(folder) {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  for (const [name, lines] of Object.entries(STAND_INS)) {
    writeFileSync(join(programs, name), `#!/bin/bash\n${lines}\n`)
    chmodSync(join(programs, name), 0o755)
  }
  return programs
}

/** Plays workflows in clones of a remote. `prepare` brings what the lines that install make, `test` is run for the tests. */
export function playWorkflows({ folder, remote, registry, prepare, test: ownTest }) {
  const played = join(folder, 'played')
  writeFileSync(played, '')
  writeFileSync(join(folder, 'npmrc'), `//${new URL(registry.url).host}/:_authToken=nobody\n`)
  const programs = writeStandIns(folder)
  const find = (name) => execFileSync('which', [name], { encoding: 'utf8' }).trim()
  const env = {
    ...process.env,
    ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org' },
    ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org' },
    ...{ PATH: [programs, process.env.PATH].join(delimiter), PLAYED: played },
    ...{ NPM: find('npm'), NPX: find('npx'), REGISTRY: registry.url, TEST: ownTest },
    ...{ GITHUB_ACTOR: 'ada', GITHUB_RUN_NUMBER: '7' },
    ...{ GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') },
    ...{ RUNNER_TEMP: folder },
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_fetch_retries: '0',
  }
  const run = async (cwd, line, more = {}) => {
    const child = spawn('bash', ['-e', '-c', line], {
      ...{ cwd, env: { ...env, ...more } },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk
      })
    }
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${said}`)
    return said
  }

  let count = 0
  const checkout = async (branch) => {
    const clone = join(folder, `clone${count++}`)
    await run(folder, `git clone --quiet --branch ${branch} ${remote} ${clone}`)
    appendFileSync(join(clone, '.git/info/exclude'), 'node_modules\nparts\ndist\n')
    prepare(clone)
    return clone
  }

  /** Runs a job in a clone, with each row of its matrix: all lines, or those with a text. Gives what it printed. */
  const runJob = async (clone, workflow, job, text = '') => {
    const { env: forAll, jobs } = readWorkflow(clone, workflow)
    const { env: forJob, steps, strategy } = jobs[job]
    let said = ''
    for (const row of strategy?.matrix.include ?? [{}]) {
      const fill = (value) =>
        String(value).replace(/\$\{\{ matrix\.(\w+) \}\}/g, (_, key) => row[key])
      for (const { run: line, with: given, env: forStep } of steps) {
        const command = fill(line ?? given?.version ?? '')
        if (!command.includes(text)) continue
        const set = Object.entries({ ...forAll, ...forJob, ...forStep })
          .filter(([, value]) => !/secrets\.|^true$/.test(value))
          .map(([key, value]) => [key, fill(value)])
        said += await run(clone, command, Object.fromEntries(set))
      }
    }
    return said
  }

  /** Runs the release up to the tarballs; gives the plan and the clone with them. */
  const test = async (branch = 'main', text = '') => {
    const clone = await checkout(branch)
    writeFileSync(env.GITHUB_OUTPUT, '')
    await runJob(clone, 'release', 'test', text)
    return { plan: readFileSync(env.GITHUB_OUTPUT, 'utf8').trim(), clone }
  }
  const plan = async (branch) => (await test(branch, 'release.mjs plan')).plan
  /** Merges the pull request that the job `version` opens. */
  const version = async (branch = 'main') => {
    const clone = await checkout(branch)
    await runJob(clone, 'release', 'version')
    await run(clone, 'git add --all . && git commit --quiet --message v && git push --quiet')
  }
  /** Publishes the tarballs of a tested clone, and the images. */
  const publish = async (tested, branch = 'main') => {
    const clone = await checkout(branch)
    cpSync(join(tested, 'parts'), join(clone, 'parts'), { recursive: true })
    const said = await runJob(clone, 'release', 'publish')
    for (const job of ['image', 'images']) await runJob(clone, 'release', job)
    return said
  }
  return {
    ...{ run, checkout, runJob, test, plan, version, publish },
    played: () => readFileSync(played, 'utf8').split('\n'),
    close: () => existsSync(folder) && rmSync(folder, { recursive: true, maxRetries: 20 }),
  }
}

const readWorkflow = (clone, name) =>
  parse(readFileSync(join(clone, `.github/workflows/${name}.yml`), 'utf8'))
