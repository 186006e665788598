/** Credential requests with something wrong in the proof of the key, or beside it. */
import { isDeepStrictEqual } from 'node:util'
import { compactVerify, importJWK, type JWK } from 'jose'
import type { Random } from '../../faults/random'
import { handmadeJws, type Key, newKey } from '../../support/actors'
import { AGES, decodeCredential, freshNonce, type Issued, newOffer, Wallet } from '../issuance-wallet'
import type { World } from '../verifier'
import { judge, type Kind } from './fuzz'
import { changeJwt, changeText, decode, hostile, spoil, truncate } from './mutate'

const PROOF_MEMBERS = [
  'alg',
  'typ',
  'kid',
  'x5c',
  'crit',
  'jwk',
  'b64',
  'iss',
  'aud',
  'iat',
  'exp',
  'nbf',
  'nonce',
  '__proto__',
] // prettier-ignore
const BODY_MEMBERS = [
  'pre-authorized_code',
  'tx_code',
  'credential_configuration_id',
  'credential_identifier',
  'proof',
  'proofs',
  'credential_response_encryption',
  '__proto__',
]

type Mutation = (random: Random, honest: string, keys: Keys) => string

interface Keys {
  readonly own: Key
  readonly other: Key
  readonly ec: Key
}

const parts = (jwt: string) => jwt.split('.').slice(0, 2).map(decode) as [object, object]

const signAgain: Mutation = (random, honest, { own, other, ec }) => {
  const [header, claims] = parts(honest)
  const key = random.pick([own, own, other, ec])
  switch (random.int(0, 3)) {
    case 0:
      return handmadeJws(header, spoil(random, claims, PROOF_MEMBERS), key)
    case 1:
      return handmadeJws(spoil(random, header, PROOF_MEMBERS), claims, key)
    case 2:
      return handmadeJws({ ...header, jwk: random.pick([own, other, ec]).jwk, alg: key.alg }, claims, key)
    default:
      return handmadeJws({ ...header, alg: random.pick(['Ed25519', 'EdDSA', 'none', 'HS256']) }, claims, key)
  }
}

const MUTATIONS: readonly Mutation[] = [
  changeText,
  truncate,
  (random, honest) => changeJwt(random, honest, PROOF_MEMBERS),
  signAgain,
  signAgain,
  (_random, honest) => honest,
]

function makeBody(random: Random, code: string, jwt: string): object {
  const proof = random.chance(0.5)
    ? { proof: { proof_type: 'jwt', jwt } }
    : { proofs: { jwt: random.chance(0.9) ? [jwt] : [jwt, jwt] } }
  const body = { 'pre-authorized_code': random.chance(0.95) ? code : changeText(random, code), ...proof }
  if (random.chance(0.8)) return body
  return random.chance(0.5)
    ? (spoil(random, body, BODY_MEMBERS) as object)
    : { ...body, [random.pick(BODY_MEMBERS)]: hostile(random) }
}

/** The proof in a body as OpenID4VCI section 8.2 wants it. */
function proofIn(body: object): string {
  const { proof, proofs } = body as { proof?: { jwt?: string }; proofs?: { jwt?: string[] } }
  return proof?.jwt ?? proofs?.jwt?.[0] ?? ''
}

/** POST /oid4vci/credential. A code lives until it is redeemed or has failed too often. */
export const proofs: Kind = async ({ app }: World) => {
  const keys = { own: await newKey(), other: await newKey(), ec: await newKey('ES256') }
  const wallet = new Wallet(app, keys.own, keys.own)
  let { code } = await newOffer(app)
  let nonce = await freshNonce(app)
  const used = ['made-up']
  return async (random) => {
    const claims = { aud: app.baseUrl, nonce }
    const honest = await wallet.proof(random.chance(0.9) ? nonce : random.pick(used))
    const jwt = random.pick(MUTATIONS)(random, honest, keys)
    const sent = makeBody(random, code, jwt)
    const answer = await wallet.request(sent)
    const sentCode = code
    if (answer.status === 200 || answer.json['error'] === 'invalid_grant') ({ code } = await newOffer(app))
    if (answer.status === 200) {
      used.push(nonce)
      nonce = await freshNonce(app)
    }
    return judge(answer, {
      sent,
      whyWrong: async () => {
        const isCode = isDeepStrictEqual(new Map(Object.entries(sent)).get('pre-authorized_code'), sentCode)
        return isCode ? findForgery(proofIn(sent), answer.json, { keys, claims }) : 'another code'
      },
    })
  }
}

interface Honest {
  readonly keys: Keys
  readonly claims: { readonly aud: string; readonly nonce: string }
}

/** Judges an accepted proof with jose alone. */
async function findForgery(jwt: string, { credentials }: Issued, { keys, claims: honest }: Honest) {
  const { payload: credential, disclosed } = decodeCredential(credentials[0]?.credential ?? '')
  const [header, claims] = parts(jwt) as [Record<string, unknown>, Record<string, unknown>]
  const { jwk } = header as { jwk: JWK }
  const isSigned = await compactVerify(jwt, await importJWK({ ...jwk }, 'EdDSA')).then(
    () => true,
    () => false,
  )
  if (!isSigned) return 'a proof that its key has not signed'
  if (![keys.own, keys.other].some(({ jwk: { x } }) => x === jwk.x)) return 'a key that nobody has'
  const bound = { kty: 'OKP', crv: 'Ed25519', x: jwk.x }
  if (!isDeepStrictEqual((credential['cnf'] as { jwk: unknown }).jwk, bound)) return 'bound to another key'
  if (['kid', 'x5c', 'crit'].some((name) => name in header) || 'iss' in claims) return 'a member that must not be'
  if (!isDeepStrictEqual([claims['aud'], claims['nonce']], [honest.aud, honest.nonce])) return 'another aud or nonce'
  if (header['typ'] !== 'openid4vci-proof+jwt') return 'another typ'
  const { age_equal_or_over: ages, ...rest } = AGES.subject
  return isDeepStrictEqual(disclosed, { ...rest, ...ages }) ? null : 'not the claims of the offer'
}
