import Bowser from 'bowser'

const SEPARATOR = ' on '
/** Longer than any browser's header; bounds the work on a made-up one. */
const USER_AGENT_MAX = 512
const knownBrowsers = new Set(Object.values(Bowser.BROWSER_MAP))

/**
 * Returns the kind of device of a `User-Agent` header, such as "Chrome on Linux": enough to recognise one's own device,
 * not enough to track a person. Null when the header names no known browser or system.
 */
export function deviceLabel(userAgent: string | null): string | null {
  if (userAgent === null || userAgent === '') return null
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, USER_AGENT_MAX))
  const system = os.name === 'iOS' ? (platform.model ?? os.name) : os.name
  // The library copies an unknown browser's name from the header, which can hold any text.
  if (!browser.name || !knownBrowsers.has(browser.name) || !system) return null
  return browser.name + SEPARATOR + system
}

/** Returns the two parts of a label, for pages in another language. */
export function parseDeviceLabel(label: string | null): { readonly browser: string; readonly system: string } | null {
  const [browser, system] = label?.split(SEPARATOR) ?? []
  return browser === undefined || system === undefined ? null : { browser, system }
}
