import { createHash, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { WalletKey } from './holder'

type Members = Readonly<Record<string, unknown>>

/** A decoded credential, not verified, since it is the wallet's own. */
export interface DecodedSdJwt {
  readonly payload: Members
  readonly disclosures: readonly { readonly text: string; readonly name: string | null }[]
  /** The claims about the holder, with all disclosures. */
  readonly claims: Members
}

const MECHANISM = new Set(['iss', 'iat', 'nbf', 'exp', 'jti', 'vct', 'cnf', 'status', '_sd', '_sd_alg'])

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

export function decodeSdJwt(credential: string): DecodedSdJwt {
  const [jwt = '', ...texts] = credential.replace(/~$/, '').split('~')
  const payload = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Members
  const opened = texts.map((text) => ({
    text,
    digest: sha256(text),
    content: JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[],
  }))
  const byDigest = new Map(opened.map(({ digest, content }) => [digest, content]))
  const claims = Object.entries(resolve(payload, byDigest)).filter(([name]) => !MECHANISM.has(name))
  return {
    payload,
    disclosures: opened.map(({ text, content }) => ({ text, name: content.length === 3 ? String(content[1]) : null })),
    claims: Object.fromEntries(claims),
  }
}

/** Returns an object with the members that its digests represent (RFC 9901 section 7.1). */
function resolve(value: Members, byDigest: ReadonlyMap<string, unknown[]>): Members {
  const own = Object.entries(value).filter(([name]) => name !== '_sd')
  const hidden = Array.isArray(value['_sd']) ? value['_sd'].map((digest) => byDigest.get(String(digest))) : []
  const shown = hidden.flatMap((content) => (content === undefined ? [] : [[String(content[1]), content[2]] as const]))
  return Object.fromEntries(
    [...own, ...shown].map(([name, member]) => [name, isObject(member) ? resolve(member, byDigest) : member]),
  )
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The claims that a verifier requests, and the verifier that the presentation is bound to. */
export interface Presentation {
  /** Paths of the claims to disclose; all others stay hidden. */
  readonly paths: readonly (readonly unknown[])[]
  readonly audience: string
  readonly nonce: string
  readonly transactionData: readonly string[]
}

/** Presents a credential with the requested disclosures, bound to the verifier (RFC 9901 section 4.3). */
export async function presentSdJwt(
  credential: string,
  key: WalletKey,
  { paths, audience, nonce, transactionData }: Presentation,
): Promise<string> {
  const asked = new Set(paths.flat())
  const [jwt = ''] = credential.split('~')
  const shown = decodeSdJwt(credential).disclosures.filter(({ name }) => name !== null && asked.has(name))
  const bound = `${[jwt, ...shown.map(({ text }) => text)].join('~')}~`
  const hashes = transactionData.length > 0 ? { transaction_data_hashes: transactionData.map(sha256) } : {}
  const factors = transactionData.some(isStrong) ? { jti: randomUUID(), amr: FACTORS } : {}
  const binding = await new SignJWT({ nonce, sd_hash: sha256(bound), ...hashes, ...factors })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'kb+jwt' })
    .setAudience(audience)
    .setIssuedAt()
    .sign(key.privateKey)
  return bound + binding
}

/**
 * The factors with which this wallet, which has no screen lock, claims to have authenticated its holder (EUDI TS12
 * section 3.6).
 */
const FACTORS = [{ knowledge: 'other' }, { possession: 'other' }]

/** Returns whether the transaction data are about a payment that needs strong customer authentication. */
function isStrong(transactionData: string): boolean {
  const { type } = JSON.parse(Buffer.from(transactionData, 'base64url').toString()) as { type: unknown }
  return typeof type === 'string' && type.startsWith('urn:eudi:sca:')
}
