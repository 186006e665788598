import envPaths from 'env-paths'
import { requireIssuerUrl } from './client/issuer.js'
import { CountersignError, UsageError } from './errors.js'

/** The authorization server of a plain `register`. An operator puts its own address here before publishing. */
export const DEFAULT_AS_URL = 'http://localhost:3000'

/** The settings from the environment. */
export interface Settings {
  /** Directory of registrations, keys, sessions and open purchases. */
  readonly home: string
  /** `COUNTERSIGN_AS_URL`: the one authorization server to use. */
  readonly asUrl: string | undefined
  /** `COUNTERSIGN_DISCOVERY_URL`: the merchant directory. */
  readonly discoveryUrl: string | undefined
  /** `COUNTERSIGN_TOOLS=read`: offer only tools that change nothing. */
  readonly readOnly: boolean
}

/**
 * Reads the environment; no other function does.
 * @throws {UsageError} for an invalid value
 */
export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  return {
    home: given(env['COUNTERSIGN_HOME']) ?? envPaths('countersign', { suffix: '' }).data,
    asUrl: readAsUrl('COUNTERSIGN_AS_URL', given(env['COUNTERSIGN_AS_URL'])),
    discoveryUrl: given(env['COUNTERSIGN_DISCOVERY_URL']),
    readOnly: readOffer(given(env['COUNTERSIGN_TOOLS'])),
  }
}

/**
 * Returns the URL of an authorization server that a person set under this name; throws a UsageError when it is invalid.
 */
export function readAsUrl(name: string, url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  try {
    return requireIssuerUrl(url)
  } catch (error) {
    throw new UsageError(`${name}: ${error instanceof CountersignError ? error.message : 'not a URL'}`)
  }
}

/** Reads the choice of tools. An unknown value throws, so that it does not enable what a person wanted disabled. */
function readOffer(value: string | undefined): boolean {
  if (value !== undefined && value !== 'all' && value !== 'read') {
    throw new UsageError('COUNTERSIGN_TOOLS must be all or read')
  }
  return value === 'read'
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}
