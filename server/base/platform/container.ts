import type { Platform } from '../core/platform'

const slot = Symbol.for('countersign.platform')

/**
 * Returns the process's platform. It is kept on the global object, because the web framework builds the same module
 * into several bundles, which must share one database and one keyring.
 */
export function getPlatform(): Platform {
  const platform = readSlot()
  if (!platform) throw new Error('The platform has not been started.')
  return platform
}

/** Sets the platform that `getPlatform` returns; null removes it. */
export function installPlatform(platform: Platform | null): void {
  Object.assign(globalThis, { [slot]: platform })
}

function readSlot(): Platform | null {
  return (globalThis as { [slot]?: Platform | null })[slot] ?? null
}
