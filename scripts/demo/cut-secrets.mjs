/** What must not be in the raw log of the demo. */

const CUT = '…'
const SECRET_NAME =
  /^(?:authorization|dpop|code|presentation|.*(?:token|jwt|jws|assertion|statement|verifier|challenge|nonce|cookie))$/i
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w~.-]*/g
const SECRET_PARAMETER = /([?&](?:code|request_uri|state)=)[^&#]*/g

/** Returns a value without tokens, proofs, codes and signed texts, in whatever depth they are. */
export function cutSecrets(value) {
  if (typeof value === 'string') return value.replaceAll(JWT, `eyJ${CUT}`).replaceAll(SECRET_PARAMETER, `$1${CUT}`)
  if (Array.isArray(value)) return value.map(cutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const cut = ([name, member]) => [
    name,
    typeof member === 'string' && SECRET_NAME.test(name) ? CUT : cutSecrets(member),
  ]
  return Object.fromEntries(Object.entries(value).map(cut))
}

/** Returns a body as its members where it is JSON or a form, else as text; null for none. */
export function readBody({ headers, body }) {
  if (body === '') return null
  if (/urlencoded/.test(headers?.['content-type'] ?? '')) {
    return Object.fromEntries([...new URLSearchParams(body)].map(([name, value]) => [name, parse(value)]))
  }
  return parse(body)
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
