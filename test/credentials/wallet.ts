/** A small wallet for EU digital identities, which answers what that of the terminal would not. */
import { CompactEncrypt, importJWK, type JWK } from 'jose'
import { type RequestClaims, type RequestObject, verifyRequestObject } from '@/scripts/wallet/request-object'
import { type Answer, exchange } from '../support/actors'

type Members = Readonly<Record<string, unknown>>

/** What the deep link of a request says. */
export interface DeepLink {
  readonly clientId: string
  readonly requestUri: string
}

export function readDeepLink(deepLink: string): DeepLink {
  const url = new URL(deepLink)
  if (url.searchParams.get('request_uri_method') !== 'post') throw new Error('the request is not fetched by POST')
  return { clientId: url.searchParams.get('client_id') ?? '', requestUri: url.searchParams.get('request_uri') ?? '' }
}

export type { RequestClaims }

const FORM = 'application/x-www-form-urlencoded'

/** Posts a form. */
export function postForm(
  url: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return exchange(url, {
    method: 'POST',
    headers: { 'content-type': FORM, ...headers },
    body: new URLSearchParams(form).toString(),
  })
}

/** Fetches the request object of a deep link, and verifies that the named client signed it (x509_hash). */
export async function fetchRequest(deepLink: string, form: Record<string, string> = {}): Promise<RequestObject> {
  const { clientId, requestUri } = readDeepLink(deepLink)
  const answer = await postForm(requestUri, form)
  if (answer.status !== 200) throw new Error(`no request object: ${answer.status} ${answer.text}`)
  return verifyRequestObject(answer.text, clientId)
}

export interface EncryptOptions {
  readonly enc?: string
  /** Replaces members of the JWE header. */
  readonly header?: Members
  /** Encrypts to this key instead. */
  readonly key?: JWK
}

/** Encrypts the parameters of a response to the key of the request. */
export async function encryptResponse(
  { client_metadata: metadata }: RequestClaims,
  parameters: Members | string,
  { enc = 'A128GCM', header = {}, key = metadata?.jwks?.keys[0] }: EncryptOptions = {},
): Promise<string> {
  if (key === undefined) throw new Error('the request names no key')
  const text = typeof parameters === 'string' ? parameters : JSON.stringify(parameters)
  return new CompactEncrypt(Buffer.from(text))
    .setProtectedHeader({ alg: 'ECDH-ES', enc, kid: String(key.kid), ...header })
    .encrypt(await importJWK(key, 'ECDH-ES'))
}

/** Answers as the request wants it: encrypted, with its state. */
export async function respond(claims: RequestClaims, parameters: Members, options?: EncryptOptions): Promise<Answer> {
  const response = await encryptResponse(claims, { state: claims.state, ...parameters }, options)
  return postForm(claims.response_uri, { response })
}
