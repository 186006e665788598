import envPaths from 'env-paths'
import { requireIssuerUrl } from './client/issuer.js'
import { CountersignError, UsageError } from './errors.js'

/** The authorization server that a plain `register` speaks to. An operator sets its own address here when publishing. */
export const DEFAULT_AS_URL = 'http://localhost:3000'

/** What the environment decides. */
export interface Settings {
  /** Directory of registrations, keys, sessions and purchases under way. */
  readonly home: string
  /** `COUNTERSIGN_AS_URL`: the one authorization server to use. */
  readonly asUrl: string | undefined
  /** `COUNTERSIGN_DISCOVERY_URL`: the merchant directory. */
  readonly discoveryUrl: string | undefined
  /** `COUNTERSIGN_TOOLS=read`: offer only tools that change nothing. */
  readonly readOnly: boolean
}

/**
 * Reads the environment; the only place that does.
 * @throws {UsageError} on a value that means nothing here
 */
export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  return {
    home: given(env['COUNTERSIGN_HOME']) ?? envPaths('countersign', { suffix: '' }).data,
    asUrl: readAsUrl('COUNTERSIGN_AS_URL', given(env['COUNTERSIGN_AS_URL'])),
    discoveryUrl: given(env['COUNTERSIGN_DISCOVERY_URL']),
    readOnly: readOffer(given(env['COUNTERSIGN_TOOLS'])),
  }
}

/** The URL of an authorization server, which a person wrote under this name. */
export function readAsUrl(name: string, url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  try {
    return requireIssuerUrl(url)
  } catch (error) {
    throw new UsageError(`${name}: ${error instanceof CountersignError ? error.message : 'not a URL'}`)
  }
}

/** A value that nobody knows must not open what a person wanted closed. */
function readOffer(value: string | undefined): boolean {
  if (value !== undefined && value !== 'all' && value !== 'read') {
    throw new UsageError('COUNTERSIGN_TOOLS must be all or read')
  }
  return value === 'read'
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}
