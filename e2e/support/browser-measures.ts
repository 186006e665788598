/** Measures of a loaded page in the browser: sizes, times, shifts, height and words. */
import type { Page } from '@playwright/test'

/** How long after the other scripts one counts as that of a press, in milliseconds. */
const QUIET_MS = 750

/** A mid-range phone on a slow 4G network, as Chromium's developer tools imitate it. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 }
const CPU_TIMES_SLOWER = 4

interface Recorded {
  paintedAtMs: number
  shift: number
  pressMs: number
}

declare global {
  interface Window {
    recorded: Recorded
  }
}

/** Records for every page opened from now on when it was painted, how much it shifted, and how long presses took. */
export async function recordMeasures(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const recorded: Recorded = { paintedAtMs: 0, shift: 0, pressMs: 0 }
    window.recorded = recorded
    const observe = (options: PerformanceObserverInit, note: (entry: PerformanceEntry) => void): void =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ buffered: true, ...options })
    observe({ type: 'largest-contentful-paint' }, ({ startTime }) => {
      recorded.paintedAtMs = startTime
    })
    observe({ type: 'layout-shift' }, (entry) => {
      if ('hadRecentInput' in entry && 'value' in entry && !entry.hadRecentInput) recorded.shift += Number(entry.value)
    })
    const notePress = (entry: PerformanceEntry): void => {
      if ('interactionId' in entry && Number(entry.interactionId) > 0) {
        recorded.pressMs = Math.max(recorded.pressMs, entry.duration)
      }
    }
    const slowOnes = { type: 'event', durationThreshold: 16 }
    observe(slowOnes, notePress)
    // Recorded however short it was.
    observe({ type: 'first-input' }, notePress)
  })
}

/** Slows the page's browser down to a phone on a mobile network. Returns a function that undoes it. */
export async function imitatePhone(page: Page): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_TIMES_SLOWER })
  return () => devtools.detach()
}

/** Waits until the page has loaded everything that it loads without a press. */
export async function untilQuiet(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.waitForFunction((quietMs) => {
    const ends = performance.getEntriesByType('resource').map((entry) => entry.startTime + entry.duration)
    return performance.now() - Math.max(0, ...ends) > quietMs
  }, QUIET_MS)
}

/** Returns the bytes of the loaded scripts, as transferred. */
export function scriptBytes(page: Page): Promise<number> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.encodedBodySize : 0), 0),
  )
}

/** Returns when the largest element was painted, and how much the content shifted. */
export function paintAndShift(page: Page): Promise<Pick<Recorded, 'paintedAtMs' | 'shift'>> {
  return page.evaluate(() => window.recorded)
}

/** Returns the longest time from a press until the page showed something, since the page was opened. */
export async function pressDuration(page: Page): Promise<number> {
  // Events are reported after the frame that they led to.
  await page.waitForFunction(() => window.recorded.pressMs > 0)
  return page.evaluate(() => window.recorded.pressMs)
}

/** Has only later presses count, once the one before has been told of. */
export async function forgetPress(page: Page): Promise<void> {
  await pressDuration(page)
  await page.evaluate(() => {
    window.recorded.pressMs = 0
  })
}

export function pageHeight(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight)
}

/** Returns how many words the main part of the page shows, without folded content and options of a select. */
export function wordsInMain(page: Page): Promise<number> {
  return page.getByRole('main').evaluate((main) => {
    const shownIn = (element: Element) =>
      element instanceof HTMLElement
        ? element.innerText.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
        : 0
    const inSelects = [...main.querySelectorAll('select')].reduce((sum, select) => sum + shownIn(select), 0)
    return shownIn(main) - inSelects
  })
}
