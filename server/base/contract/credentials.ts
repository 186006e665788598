/** The scheme, in lower case, and the token of an Authorization header. */
interface Credentials {
  readonly scheme: string
  readonly token: string
}

/** Reads `<scheme> <token>` with one or more spaces between them (RFC 9110 section 11.4); null for anything else. */
export function parseCredentials(authorization: string | null | undefined): Credentials | null {
  const [, scheme, token] = /^([^ ]+) +([^ ]+)$/.exec(authorization ?? '') ?? []
  return scheme === undefined || token === undefined ? null : { scheme: scheme.toLowerCase(), token }
}
