/**
 * `npm test`: builds what is stale, runs the service's and tools' suites, then the browser flows where a Chromium can be
 * had. `node scripts/test.mjs e2e` runs the browser flows alone; what follows `--` goes to Playwright.
 */
import { spawnSync } from 'node:child_process'
import { findChromium } from './chromium.mjs'
import { build, outdatedSteps } from './start/build.mjs'

const INSTALL_PATIENCE_MS = 180_000
const [what, ...rest] = process.argv.slice(2)

function run(command, args, options = {}) {
  const shell = process.platform === 'win32'
  return spawnSync(command, args, { stdio: 'inherit', shell, ...options }).status === 0
}

function installChromium() {
  console.log('No Chromium found, trying `npx playwright install chromium`.')
  const installed = run('npx', ['playwright', 'install', 'chromium'], { stdio: 'ignore', timeout: INSTALL_PATIENCE_MS })
  return installed && findChromium() !== null
}

function browserFlows() {
  if (findChromium() === null && !installChromium()) {
    console.log('SKIPPED: the browser flows, because no Chromium is installed and none could be downloaded.')
    return what !== 'e2e'
  }
  return run('npx', ['playwright', 'test', ...rest])
}

await build(outdatedSteps())
const passed = (what === 'e2e' || run('npx', ['vitest', 'run'])) && browserFlows()
process.exit(passed ? 0 : 1)
