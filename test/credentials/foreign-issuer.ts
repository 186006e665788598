/** Another issuer of credentials with a server of its own, made of @sd-jwt/*, jose and @peculiar/x509. */
import { createHash, KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StatusList } from '@sd-jwt/jwt-status-list'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import { type JWK, SignJWT } from 'jose'
import { type Key, newKey } from '../support/actors'
import { keyOf, type Minted, mint } from '../support/certificates'

type Claims = Record<string, unknown>
export type IssuerAlg = 'ES256' | 'EdDSA' | 'Ed25519'

export interface IssueOptions {
  readonly vct: string
  /** Disclosable one by one. */
  readonly claims?: Claims
  /** Whose key the credential is bound to; absent, it is bound to none. */
  readonly holder?: Pick<Key, 'jwk'>
  /** ES256 when absent. */
  readonly alg?: IssuerAlg
  /** The index of its status; absent, it has none. */
  readonly status?: number
  readonly exp?: number
  /** Signs with the leaf of the chain (ES256) and sends the chain instead of a kid. */
  readonly x5c?: readonly string[]
  /** Signs with this key instead. */
  readonly key?: Key
  /** Replace or add plain claims and header members. */
  readonly payload?: Claims
  readonly header?: Claims
}

export interface PresentOptions {
  readonly holder: Key
  readonly aud: string
  readonly nonce: string
  /** Names of top-level claims; all of them when absent. */
  readonly disclose?: readonly string[]
  /** As the request holds it: base64url texts. */
  readonly transactionData?: readonly string[]
  readonly iat?: number
  /** Replace or add members of the key-binding JWT. */
  readonly payload?: Claims
}

/** What the status list token says besides what it should. */
interface StatusAnswer {
  readonly bits?: 1 | 2 | 4 | 8
  readonly claims?: Claims
  readonly header?: Claims
  readonly key?: Key
}

export interface ForeignIssuer {
  /** The `iss` of what it issues, with a path. */
  readonly issuer: string
  readonly origin: string
  /** What it publishes. Replaced by `rotate`. */
  readonly jwks: { readonly keys: readonly JWK[] }
  readonly chain: { readonly root: Minted; readonly x5c: readonly string[] }
  readonly statusUri: string
  /** The paths that were requested, oldest first. */
  readonly requests: readonly string[]
  issue(options: IssueOptions): Promise<string>
  present(sdJwt: string, options: PresentOptions): Promise<string>
  /** Sets a status: 1 is revoked, 2 suspended. */
  revoke(idx: number, status?: number): void
  /** Makes new keys under new kids and publishes them alone. */
  rotate(): Promise<void>
  /** Answers a path in another way; null takes that back. */
  answer(path: string, listener: RequestListener | null): void
  /** How the status list is signed from now on. */
  answerStatus(answer: StatusAnswer): void
  close(): Promise<void>
}

export interface ForeignIssuerOptions {
  /** The path of the issuer; `/tenant` when absent. */
  readonly path?: string
  /** The clock that tests move. */
  readonly clock?: { now(): Date }
}

const STATUS_PATH = '/status/1'
const STATUS_PLACES = 64

/** Starts one on a free port of this machine. */
export async function startForeignIssuer(options: ForeignIssuerOptions = {}): Promise<ForeignIssuer> {
  const path = options.path ?? '/tenant'
  const seconds = () => Math.floor((options.clock?.now() ?? new Date()).getTime() / 1000)
  const requests: string[] = []
  const overrides = new Map<string, RequestListener>()
  const statuses = Array.from({ length: STATUS_PLACES }, () => 0)
  let keys = await makeKeys(1)
  let generation = 1
  let status: StatusAnswer = {}

  const server = createServer((request, response) => {
    const pathname = request.url ?? ''
    requests.push(pathname)
    const override = overrides.get(pathname)
    if (override !== undefined) {
      override(request, response)
    } else if (pathname === `/.well-known/jwt-vc-issuer${path}`) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ issuer, jwks: publicKeys(keys) }))
    } else if (pathname === STATUS_PATH) {
      void signStatusList().then((token) => {
        response.writeHead(200, { 'content-type': 'application/statuslist+jwt' })
        response.end(token)
      })
    } else {
      response.writeHead(404).end()
    }
  })
  const origin = await listen(server)
  const issuer = `${origin}${path}`
  const statusUri = `${origin}${STATUS_PATH}`
  const chain = await makeChain(new URL(origin).hostname)

  function signStatusList(): Promise<string> {
    const { bits = 2, claims, header, key = keys.ES256 } = status
    const lst = new StatusList([...statuses], bits).compressStatusList()
    return new SignJWT({ iss: issuer, sub: statusUri, iat: seconds(), ttl: 60, status_list: { bits, lst }, ...claims })
      .setProtectedHeader({ alg: key.alg, typ: 'statuslist+jwt', kid: String(key.jwk.kid), ...header })
      .sign(key.privateKey)
  }

  async function signerOf({ alg = 'ES256', x5c, key }: IssueOptions): Promise<Key> {
    if (key !== undefined) return key
    return x5c === undefined ? keys[alg === 'Ed25519' ? 'EdDSA' : alg] : keyOf(chain.leaf, 'ES256')
  }

  return {
    issuer,
    origin,
    get jwks() {
      return publicKeys(keys)
    },
    chain,
    statusUri,
    requests,
    async issue(wanted) {
      const { vct, claims = {}, holder, alg = 'ES256', x5c } = wanted
      const key = await signerOf(wanted)
      const payload = {
        iss: issuer,
        iat: seconds(),
        vct,
        ...(holder !== undefined && { cnf: { jwk: holder.jwk } }),
        ...(wanted.exp !== undefined && { exp: wanted.exp }),
        ...(wanted.status !== undefined && { status: { status_list: { idx: wanted.status, uri: statusUri } } }),
        ...claims,
        ...wanted.payload,
      }
      const label = x5c === undefined ? { kid: key.jwk.kid } : { x5c }
      const frame = { _sd: Object.keys(claims) }
      const names = { header: { ...label, ...wanted.header } }
      return instanceFor(key, alg).issue(payload, frame as never, names)
    },
    async present(sdJwt, { holder, aud, nonce, disclose, transactionData, iat = seconds(), payload = {} }) {
      const library = instanceFor(holder, holder.alg)
      const shown = disclose ?? (await library.keys(sdJwt)).filter((name) => !name.includes('.'))
      const kb = {
        iat,
        aud,
        nonce,
        ...(transactionData !== undefined && {
          transaction_data_hashes: transactionData.map((text) => sha256(text).toString('base64url')),
          transaction_data_hashes_alg: 'sha-256',
        }),
        ...payload,
      }
      const frame = Object.fromEntries(shown.map((name) => [name, true]))
      return library.present<Claims>(sdJwt, frame as never, { kb: { payload: kb } })
    },
    revoke: (idx, value = 1) => {
      statuses[idx] = value
    },
    rotate: async () => {
      generation += 1
      keys = await makeKeys(generation)
    },
    answer: (pathname, listener) => {
      if (listener === null) overrides.delete(pathname)
      else overrides.set(pathname, listener)
    },
    answerStatus: (answer) => {
      status = answer
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface IssuerKeys {
  readonly ES256: Key
  readonly EdDSA: Key
}

async function makeKeys(generation: number): Promise<IssuerKeys> {
  const [ec, ed] = await Promise.all([newKey('ES256'), newKey('EdDSA')])
  const named = (key: Key, kid: string): Key => ({ ...key, jwk: { ...key.jwk, kid: `${kid}-${generation}` } })
  return { ES256: named(ec, 'ec'), EdDSA: named(ed, 'ed') }
}

function publicKeys(keys: IssuerKeys): { keys: JWK[] } {
  return { keys: [keys.ES256.jwk, keys.EdDSA.jwk] }
}

/** Root, one authority below it, and a leaf that names the host; `x5c` is without the root. */
async function makeChain(host: string) {
  const root = await mint({ name: 'Root', ca: true, pathLength: 1 })
  const authority = await mint({ name: 'Authority', issuer: root, ca: true, pathLength: 0 })
  const names = [{ type: 'ip', value: host } as const, { type: 'dns', value: 'issuer.example' } as const]
  const leaf = await mint({ name: 'Issuer', issuer: authority, names })
  return { root, leaf, x5c: [leaf.base64, authority.base64] }
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

/** The library with a key that signs credentials and key bindings alike. */
function instanceFor(key: Key, alg: string): SDJwtVcInstance {
  const signer = (data: string) => {
    const hash = key.alg === 'ES256' ? 'sha256' : null
    const privateKey = { key: KeyObject.from(key.privateKey), dsaEncoding: 'ieee-p1363' } as const
    return sign(hash, Buffer.from(data), privateKey).toString('base64url')
  }
  return new SDJwtVcInstance({
    signer,
    signAlg: alg,
    kbSigner: signer,
    kbSignAlg: alg,
    hasher: (data: string | ArrayBuffer) => sha256(typeof data === 'string' ? data : Buffer.from(data)),
    hashAlg: 'sha-256',
    saltGenerator: (length: number) => randomBytes(length).toString('base64url'),
  })
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
