import { addRoute, createRouter, findRoute } from 'rou3'
import type { AnyOperation } from '../../base/contract/endpoint'

/** The operations of one path, one per method, and the path's parameters, each percent-decoded once. */
export interface Match {
  readonly operations: readonly AnyOperation[]
  readonly parameters: Readonly<Record<string, string>>
}

/** A path of which no operation is known: 404 for every method. */
export const NO_MATCH: Match = { operations: [], parameters: {} }

/** The first segments of addresses that programs ask, where nobody is shown a page. */
const API_PREFIXES = new Set(
  '.well-known audit discovery eudiw federation merchant_test oauth oid4vci operator privacy settlement wallet webhooks'.split(
    ' ',
  ),
)

/** Whether a path is below a prefix of the API, however many slashes it has. */
export function isApiPath(path: string): boolean {
  const [first] = path.split('/').filter((segment) => segment !== '')
  return first !== undefined && API_PREFIXES.has(decodeSegment(first) ?? '')
}

/** Finds the operations of a path; null when no contract has such a path. */
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
    // The router ignores a slash at the end; a contract's path has none.
    if (parameters === null || path.endsWith('/')) return NO_MATCH
    return { operations: route.data, parameters }
  }
}

/** Null when a parameter is empty, is not percent-encoded UTF-8, or holds NUL: such a path names nothing. */
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
