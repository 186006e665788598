import type { Platform } from '../core/platform'

const slot = Symbol.for('countersign.platform')

/**
 * The process's platform. It hangs on the global object, because the web framework builds the same module into several
 * bundles, and there must be one database and one keyring for all of them.
 */
export function getPlatform(): Platform {
  const platform = readSlot()
  if (!platform) throw new Error('The platform has not been started.')
  return platform
}

/** Makes `platform` the one that `getPlatform` returns; null takes it away. */
export function installPlatform(platform: Platform | null): void {
  Object.assign(globalThis, { [slot]: platform })
}

function readSlot(): Platform | null {
  return (globalThis as { [slot]?: Platform | null })[slot] ?? null
}
