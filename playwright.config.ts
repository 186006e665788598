import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { freePort } from './e2e/support/free-port'
import { findChromium } from './scripts/chromium.mjs'

/**
 * The configuration is read again by every worker; what the first reading chose travels in the environment. With
 * E2E_BASE_URL and E2E_DATA_DIR given from outside, the flows run against that server.
 */
const runsElsewhere = process.env['E2E_BASE_URL'] !== undefined && process.env['E2E_OWN_SERVER'] === undefined
if (!runsElsewhere) {
  process.env['E2E_OWN_SERVER'] ??= 'true'
  process.env['E2E_BASE_URL'] ??= `http://localhost:${freePort()}`
  process.env['E2E_DATA_DIR'] ??= path.join(tmpdir(), `countersign-e2e-${process.pid}`)
}
const baseURL = process.env['E2E_BASE_URL'] ?? ''
const executablePath = findChromium()

/** What takes the time: nothing else runs meanwhile. */
const MEASURED = /@measured/
/** What looks at every page in turn, waits for jobs, repeats a flow in another way, or is rare, such as lost answers. */
const LONG = /@long|everybody-can-read-it/
/** What `npm test` shows on a desktop. */
const DESKTOP_ONCE = /@desktop(?!.*@long)/
/** Pages live for seconds, too short for V8 to gain by optimising their scripts. Without it flows take 8 % less time. */
const UNOPTIMISED = '--js-flags=--no-opt'
const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
const PHONE = { viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true }
const DESKTOP = { viewport: { width: 1280, height: 900 } }

function launchWith(args: readonly string[]) {
  return { ...(executablePath !== null && { executablePath }), args: [...args] }
}

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  // A flow that fails once and then passes is listed as flaky at the end of the run. Recording every first try costs
  // minutes: `--trace on` does it.
  retries: process.env['CI'] === undefined ? 0 : 1,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    baseURL,
    trace: 'on-first-retry',
    locale: 'en-GB',
    timezoneId: 'UTC',
    launchOptions: launchWith([...BROWSER_FLAGS, UNOPTIMISED]),
  },
  projects: [
    // The first two are `npm test` and show each behaviour once; the others are `npm run test:rest`. What is the same on
    // every screen, or chooses its own width, has the tag @phone, but not every flow of a page or kind of control.
    { name: 'phone', grepInvert: [/@desktop/, LONG], use: PHONE },
    { name: 'desktop', grep: /@desktop/, grepInvert: LONG, use: DESKTOP },
    { name: 'phone-long', grep: LONG, grepInvert: [/@desktop/, MEASURED], use: PHONE },
    { name: 'desktop-again', grepInvert: [/@phone/, DESKTOP_ONCE], use: DESKTOP },
    { name: 'measured', grep: MEASURED, use: { ...PHONE, launchOptions: launchWith(BROWSER_FLAGS) } },
  ],
  ...(!runsElsewhere && {
    webServer: {
      command: 'node e2e/support/server.mjs',
      url: `${baseURL}/readyz`,
      timeout: 60_000,
      reuseExistingServer: false,
      gracefulShutdown: { signal: 'SIGINT', timeout: 10_000 },
      env: {
        NODE_ENV: 'production',
        PORT: new URL(baseURL).port,
        BASE_URL: baseURL,
        DATA_DIR: process.env['E2E_DATA_DIR'] ?? '',
        SANDBOX: 'true',
        SIGN_IN_LINKS_PER_MINUTE: '1000',
        LOG_LEVEL: 'warn',
      },
    },
  }),
})
