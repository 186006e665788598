/**
 * `npm run screenshots`: takes pictures of every page of the portal at phone and desktop size into docs/screenshots,
 * from its own server with the same story each time. `--locale de --out <directory>` takes them in German into another
 * directory.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { requireChromium } from './chromium.mjs'
import { type PortalPage, publicPages, walletPages } from './portal/pages'
import { type PortalServer, withPortalServer } from './portal/server'
import { openDemoSession } from './portal/session'
import { playStory, STORY_NOW, storyStart } from './portal/story'
import { build, outdatedSteps } from './start/build.mjs'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: path.resolve(import.meta.dirname, '../docs/screenshots') },
    locale: { type: 'string', default: 'en' },
  },
})

/** A fixed port, since the pictures contain addresses of the sandbox's merchants. */
const PORT = 3000

const sizes = [
  { name: '360', viewport: { width: 360, height: 800 }, isMobile: true, deviceScaleFactor: 1 },
  { name: '1280', viewport: { width: 1280, height: 900 }, isMobile: false, deviceScaleFactor: 1 },
] as const
type Size = (typeof sizes)[number]

/** The pages of which there is also a dark picture. */
const DARK = new Set(['home', 'approve'])

interface ScreenshotOptions {
  readonly server: PortalServer
  readonly browser: Browser
  readonly size: Size
  readonly colorScheme: 'light' | 'dark'
}

async function openContext(
  { server, browser, size, colorScheme }: ScreenshotOptions,
  signedIn: boolean,
): Promise<BrowserContext> {
  const { name: _, ...screen } = size
  const context = await browser.newContext({
    ...screen,
    hasTouch: size.isMobile,
    colorScheme,
    baseURL: server.baseUrl,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  const cookies = [
    { name: 'locale', value: values.locale },
    ...(signedIn ? [await openDemoSession(server.baseUrl)] : []),
  ]
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, url: server.baseUrl })))
  return context
}

/** How long the network must be quiet before the picture is taken, in milliseconds. */
const QUIET_MS = 500

/** Opens an address and waits until nothing more arrives, since some parts of a page are loaded later. */
async function open(page: Page, address: string): Promise<void> {
  let heardAt = Date.now()
  const hear = () => {
    heardAt = Date.now()
  }
  page.on('response', hear)
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  while (Date.now() - heardAt < QUIET_MS) await delay(QUIET_MS / 10)
  page.off('response', hear)
}

async function takeScreenshot(
  page: Page,
  { name, path: address }: PortalPage,
  { size, colorScheme }: ScreenshotOptions,
): Promise<void> {
  await page.setViewportSize(size.viewport)
  await page.clock.setFixedTime(STORY_NOW)
  await open(page, address)
  await page.evaluate(() => document.fonts.ready)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ ...size.viewport, height: Math.max(height, size.viewport.height) })
  const file = `${name}-${size.name}${colorScheme === 'dark' ? '-dark' : ''}.png`
  await page.screenshot({ path: path.join(values.out, file), animations: 'disabled', caret: 'hide' })
  console.log(`  ${file}`)
}

async function takeScreenshots(
  options: ScreenshotOptions,
  pages: readonly PortalPage[],
  signedIn: boolean,
): Promise<void> {
  const context = await openContext(options, signedIn)
  const page = await context.newPage()
  for (const one of pages) await takeScreenshot(page, one, options)
  await context.close()
}

async function takeAll(server: PortalServer, browser: Browser): Promise<void> {
  const pages = walletPages(await playStory(server))
  const darkPages = pages.filter(({ name }) => DARK.has(name))
  for (const size of sizes) {
    const light = { server, browser, size, colorScheme: 'light' } as const
    await takeScreenshots(light, publicPages, false)
    await takeScreenshots(light, pages, true)
    await takeScreenshots({ ...light, colorScheme: 'dark' }, darkPages, true)
  }
}

const executablePath = requireChromium()
await build(outdatedSteps())
mkdirSync(values.out, { recursive: true })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'] })
try {
  await withPortalServer({ startAt: storyStart(), port: PORT }, async (server) => {
    if (!server.baseUrl.endsWith(`:${PORT}`)) throw new Error(`Port ${PORT} is taken: stop the server that uses it.`)
    await takeAll(server, browser)
  })
} finally {
  await browser.close()
}
