import { buildToolServer } from './tool-host'

/** Runs once before the suites: files that run side by side must not build at the same time. */
export function setup(): void {
  buildToolServer()
}
