/**
 * `npm test` runs every behaviour of the service and its pages once, within minutes; `npm run test:rest` runs what it
 * leaves out, such as the tools against the service, and `npm run test:e2e` all browser flows. Arguments after `--` go
 * to Playwright. Without a Chromium the flows are skipped; in CI and for `npm run test:e2e` that is a failure.
 */
import { spawnSync } from 'node:child_process'
import { findChromium } from './chromium.mjs'
import { build, outdatedSteps } from './start/build.mjs'

const CHROMIUM_DOWNLOAD_MS = 180_000
const [what = 'test', ...more] = process.argv.slice(2)
const database = process.env.TEST_DATABASE_URL ? 'PostgreSQL' : 'the embedded database'

const buildStale = {
  name: 'build what has changed',
  run: async () => {
    await build(outdatedSteps())
    return true
  },
}

const suites = (name, ...projects) => ({
  name: `${name}, on ${database}`,
  run: () => run('npx', ['vitest', 'run', ...projects.flatMap((project) => ['--project', project])]),
})

const flows = (name, ...projects) => ({
  name: `browser flows: ${name}`,
  run: () => {
    if (findChromium() === null && !downloadChromium()) return null
    const chosen = projects.flatMap((project) => ['--project', project])
    return run('npx', ['playwright', 'test', ...chosen, ...more.filter((word) => word !== '--')])
  },
})

const plans = {
  test: [
    buildStale,
    suites('suites of the service', 'service'),
    flows('each once, on a phone where it runs on both', 'phone', 'desktop'),
  ],
  rest: [
    buildStale,
    suites(
      'processes, the tool server against the service, the OAuth suites through the route files, long suites',
      'servers',
      'processes',
      'tool-server',
      'route-files',
      'long',
    ),
    flows('the others on a desktop, made-up languages, every page by axe', 'phone-long', 'desktop-again'),
    flows('how long pages take, alone', 'measured'),
  ],
  e2e: [buildStale, flows('all of them')],
}

function run(command, args, options = {}) {
  const shell = process.platform === 'win32'
  return spawnSync(command, args, { stdio: 'inherit', shell, ...options }).status === 0
}

function downloadChromium() {
  console.log('No Chromium found, trying `npx playwright install chromium`.')
  const isInstalled = run('npx', ['playwright', 'install', 'chromium'], {
    stdio: 'ignore',
    timeout: CHROMIUM_DOWNLOAD_MS,
  })
  return isInstalled && findChromium() !== null
}

function describeTime(startedAt) {
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function describeLeftOut() {
  if (what !== 'test') return []
  const served = 'what needs several processes on one PostgreSQL: set TEST_DATABASE_URL'
  return [
    'Left out: starts and stops of whole processes, the tool server against the service, the OAuth suites through the',
    `route files, all vectors of metadata policies, flows on a second screen, made-up languages, every page by axe: npm run test:rest${process.env.TEST_DATABASE_URL ? '' : `; ${served}`}. .ci/run runs everything.`,
  ]
}

const stages = plans[what]
if (stages === undefined) {
  console.error(
    `Nothing is called "${what}" here. Single files: npm run test:service -- <files>, npm run test:e2e -- <files>`,
  )
  process.exit(1)
}
const startedAt = Date.now()
const results = []
for (const [index, { name, run: runStage }] of stages.entries()) {
  console.log(`\n=== ${index + 1} of ${stages.length}: ${name}`)
  const stageStartedAt = Date.now()
  const passed = await runStage()
  const result =
    passed === null ? 'SKIPPED, no Chromium is installed and none could be downloaded' : passed ? 'passed' : 'FAILED'
  results.push(`${result.padEnd(7)} ${describeTime(stageStartedAt).padStart(12)}  ${name}`)
  if (passed === false || (passed === null && (what === 'e2e' || process.env.CI))) process.exitCode = 1
  if (passed === false) break
}
console.log(`\n=== ${process.exitCode === 1 ? 'FAILED' : 'passed'} after ${describeTime(startedAt)}`)
for (const line of [...results, ...describeLeftOut()]) console.log(`  ${line}`)
