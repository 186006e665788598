import type { Config } from '../../base/core/platform'

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/
/** The paths for load balancers, supervisors and Prometheus, which may use any name or address of this machine. */
const WATCHED_PATHS = new Set(['/healthz', '/readyz', '/metrics'])

export interface Target {
  readonly path: string
  /** The `Host` header. */
  readonly host: string | undefined
  /** The port that the connection came in on. */
  readonly port: number | undefined
}

/**
 * Whether the request is for this server (RFC 9110 section 7.4): its `Host` is that of BASE_URL, one of ALLOWED_HOSTS,
 * or a literal loopback address. Others come from a page whose own name points here (DNS rebinding) or from a
 * misconfigured proxy.
 */
export function isOwnHost({ baseUrl, allowedHosts }: Config, { path, host = '', port }: Target): boolean {
  if (WATCHED_PATHS.has(path)) return true
  const { protocol, host: ownHost } = new URL(baseUrl)
  const given = host.toLowerCase()
  const [standardPort] = protocol === 'https:' ? [':443'] : [':80']
  const named = given.endsWith(standardPort) ? given.slice(0, -standardPort.length) : given
  if (named === ownHost || allowedHosts.includes(given)) return true
  const [, address = '', givenPort = '80'] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(given) ?? []
  return LOOPBACK.test(address) && Number(givenPort) === port
}
