/**
 * Finds a Chromium for the browser tests: the system's, then Playwright's own. The headless shell opens no windows, and
 * takes a third of the time.
 */
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const systemPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Returns the path of a browser that can be started, or null. */
export function findChromium() {
  return [...systemPaths, chromium.executablePath()].find((file) => existsSync(file)) ?? null
}

/** Returns the path of a browser that can be started. Throws where there is none. */
export function requireChromium() {
  const file = findChromium()
  if (file === null) throw new Error('No Chromium found. Install one, or run `npx playwright install chromium`.')
  return file
}
