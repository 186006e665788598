import envPaths from 'env-paths'

/** The authorization server that a plain `register` speaks to. An operator sets its own address here when publishing. */
export const DEFAULT_AS_URL = 'http://localhost:3000'

/** What the environment decides. */
export interface Settings {
  /** Directory of registrations, keys and purchases under way. */
  readonly home: string
  /** `COUNTERSIGN_AS_URL`: the one authorization server to use. */
  readonly asUrl: string | undefined
  /** `COUNTERSIGN_DISCOVERY_URL`: the merchant directory. */
  readonly discoveryUrl: string | undefined
  /** `COUNTERSIGN_TOOLS=read`: offer only tools that change nothing. */
  readonly readOnly: boolean
}

/** Reads the environment; the only place that does. */
export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  return {
    home: given(env['COUNTERSIGN_HOME']) ?? envPaths('countersign', { suffix: '' }).data,
    asUrl: given(env['COUNTERSIGN_AS_URL']),
    discoveryUrl: given(env['COUNTERSIGN_DISCOVERY_URL']),
    readOnly: env['COUNTERSIGN_TOOLS'] === 'read',
  }
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}
