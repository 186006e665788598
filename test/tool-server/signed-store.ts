import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type Answering, json, type Listener, listen } from './listener'

/** A store of a test's own, whose answers can be spoilt one at a time. */
export interface Store extends Listener {
  items: readonly Record<string, unknown>[]
  spoil: Spoiling
}

interface Spoiling {
  readonly algorithm?: 'ed25519' | 'ecdsa-p256-sha256'
  /** What the parameters of the signature say, where that is not what is true. */
  readonly parameters?: Readonly<Record<string, string | number | undefined>>
  /** The components that are signed. */
  readonly components?: readonly string[]
  /** Changes what is sent after it was signed. */
  readonly headers?: (headers: Record<string, string>) => Record<string, string>
  readonly body?: (body: string) => string
  readonly signature?: (signature: Buffer) => Buffer
  readonly merchant?: string
  readonly keys?: unknown
  /** Answers in place of the store: at one path, or at all. */
  readonly instead?: Answering
  readonly at?: string
}

type Pair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject }

const PAIRS: Readonly<Record<string, Pair>> = {
  ed25519: generateKeyPairSync('ed25519'),
  'ecdsa-p256-sha256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
}

function pairOf(algorithm: string): Pair {
  const pair = PAIRS[algorithm]
  if (pair === undefined) throw new Error(`no key for ${algorithm}`)
  return pair
}

const jwkOf = (algorithm: string) => ({ ...pairOf(algorithm).publicKey.export({ format: 'jwk' }), kid: algorithm })

/** A receipt of the store's own, by a key of its catalog or by one that it calls so. */
export function signReceipt(claims: object, { kid = 'ed25519', isForged = false } = {}): string {
  const [header, payload] = [{ alg: 'EdDSA', kid }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const key = isForged ? generateKeyPairSync('ed25519').privateKey : pairOf('ed25519').privateKey
  const signature = sign(null, Buffer.from(`${header}.${payload}`), key)
  return `${header}.${payload}.${signature.toString('base64url')}`
}

/** A store that signs its catalog as RFC 9421 says, put together by hand. */
export async function openStore(): Promise<Store> {
  const listener = await listen((request, response, body) => {
    const { spoil } = store
    if (spoil.instead !== undefined && (spoil.at ?? request.url) === request.url)
      return spoil.instead(request, response, body)
    if (request.url === '/jwks.json') {
      return json(response, spoil.keys ?? { keys: [jwkOf('ed25519'), jwkOf('ecdsa-p256-sha256')] })
    }
    if (request.url !== '/.well-known/oid4ac-catalog') return json(response, {}, 404)
    const { headers, text } = render(store)
    response.writeHead(200, headers).end(text)
  })
  const store: Store = Object.assign(listener, { items: [], spoil: {} })
  return store
}

function render({ url, items, spoil }: Store) {
  const catalog = { '@context': 'https://schema.org', merchant: spoil.merchant ?? url, items }
  const body = JSON.stringify(catalog)
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
  const values: Record<string, string> = {
    '"@status"': '200',
    '"content-type"': 'application/json',
    '"content-digest"': digest,
    '"@authority";req': new URL(url).host,
    '"@path";req': '/.well-known/oid4ac-catalog',
  }
  const components = spoil.components ?? Object.keys(values)
  const parameters = `(${components.join(' ')})${describeParameters(spoil)}`
  const lines = components.map((name) => `${name}: ${values[name]}`)
  const base = [...lines, `"@signature-params": ${parameters}`].join('\n')
  const signature = (spoil.signature ?? ((bytes) => bytes))(signBase(base, spoil.algorithm ?? 'ed25519'))
  const headers = {
    'content-type': 'application/json',
    'content-digest': digest,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${signature.toString('base64')}:`,
  }
  return { headers: spoil.headers?.(headers) ?? headers, text: spoil.body?.(body) ?? body }
}

function describeParameters({ algorithm = 'ed25519', parameters = {} }: Spoiling): string {
  const now = Math.floor(Date.now() / 1000)
  const all = {
    created: now,
    expires: now + 300,
    keyid: algorithm,
    alg: algorithm,
    tag: 'oid4ac-catalog',
    ...parameters,
  }
  return Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `;${name}=${JSON.stringify(value)}`)
    .join('')
}

function signBase(base: string, algorithm: string): Buffer {
  const key = pairOf(algorithm).privateKey
  return sign(algorithm === 'ed25519' ? null : 'sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' })
}
