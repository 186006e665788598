/** The first that matches counts: most browsers also claim to be Chrome or Safari, and phones to be computers. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOPT\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Between the parts of a stored label. */
const BETWEEN = ' on '

/**
 * What kind of device a sign-in came from, such as "Chrome on Linux": enough to recognise one's own, too little to track
 * anybody. Null when the header says nothing known.
 */
export function deviceLabel(userAgent: string | null): string | null {
  const found = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const [browser, system] = [found(browsers), found(systems)]
  return browser === undefined || system === undefined ? null : browser + BETWEEN + system
}

/** The two parts of a label, for pages that say it in another language. */
export function readDeviceLabel(label: string | null): { readonly browser: string; readonly system: string } | null {
  const [browser, system] = label?.split(BETWEEN) ?? []
  return browser === undefined || system === undefined ? null : { browser, system }
}
