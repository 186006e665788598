import { addRoute, createRouter, findRoute } from 'rou3'
import type { AnyOperation } from '../../base/contract/endpoint'

/** The operations of one path, one per method, and the path's parameters, each percent-decoded once. */
export interface Match {
  readonly operations: readonly AnyOperation[]
  readonly parameters: Readonly<Record<string, string>>
}

/** A path without operations: 404 for every method. */
export const NO_MATCH: Match = { operations: [], parameters: {} }

/** The first segments of API paths, which have no pages. */
const API_PREFIXES = new Set(
  '.well-known audit discovery eudiw federation merchant_test oauth oid4vci operator privacy settlement wallet webhooks'.split(
    ' ',
  ),
)

/** Whether a path is below a prefix of the API, with any number of slashes. */
export function isApiPath(path: string): boolean {
  const [first] = path.split('/').filter((segment) => segment !== '')
  return first !== undefined && API_PREFIXES.has(decodeSegment(first) ?? '')
}

/** Returns a function that finds the operations of a path; null when no contract has the path. */
export function createMatcher(operations: readonly AnyOperation[]): (path: string) => Match | null {
  const router = createRouter<readonly AnyOperation[]>()
  for (const path of new Set(operations.map(({ endpoint }) => endpoint.path))) {
    const group = operations.filter(({ endpoint }) => endpoint.path === path)
    addRoute(router, '', path.replaceAll(/\{(\w+)\}/g, ':$1'), group)
  }
  return (path) => {
    const route = findRoute(router, '', path)
    if (route === undefined) return null
    const parameters = decodeParameters(route.params)
    // The router ignores a slash at the end, but no contract has one.
    if (parameters === null || path.endsWith('/')) return NO_MATCH
    return { operations: route.data, parameters }
  }
}

/** Decodes a path's parameters; returns null when one is empty, is not percent-encoded UTF-8, or contains NUL. */
function decodeParameters(encoded: Readonly<Record<string, string>> = {}): Record<string, string> | null {
  const decoded: Record<string, string> = {}
  for (const [name, segment] of Object.entries(encoded)) {
    const value = decodeSegment(segment)
    if (value === null) return null
    decoded[name] = value
  }
  return decoded
}

function decodeSegment(segment: string): string | null {
  try {
    const value = decodeURIComponent(segment)
    return value === '' || value.includes('\u0000') ? null : value
  } catch {
    return null
  }
}
