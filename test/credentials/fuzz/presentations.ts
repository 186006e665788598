/** Presentations with something wrong. */
import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../../faults/random'
import { handmadeJws, type Key, newKey } from '../../support/actors'
import { NONCE, present, REGION, send, type VerifyAnswer, type World } from '../verifier'
import { judge, type Kind } from './fuzz'
import { changeJwt, changeText, decode, encode, hostile, spoil, truncate } from './mutate'

/** A valid presentation, whose holder may do with it what it likes. */
export interface Original {
  readonly compact: string
  readonly holder: Key
  /** What the issuer says, with everything disclosed. */
  readonly result: VerifyAnswer
}

const MEMBERS = [
  'alg',
  'typ',
  'kid',
  'x5c',
  'crit',
  'jwk',
  'iss',
  'vct',
  'exp',
  'nbf',
  'iat',
  'cnf',
  'status',
  '_sd',
  '_sd_alg',
  '...',
  'aud',
  'nonce',
  'sd_hash',
  '__proto__',
  'given_name',
  'transaction_data_hashes',
] // prettier-ignore

const tilde = (parts: readonly string[]) => parts.join('~')

type Mutation = (random: Random, original: Original, other: Original) => string | Promise<string>

/** Parts go, come twice, change places, or come from another presentation. */
const changeParts: Mutation = (random, { compact }, other) => {
  const parts = compact.split('~')
  const foreign = other.compact.split('~')
  const [one, two] = [random.int(0, parts.length - 1), random.int(0, parts.length - 1)]
  switch (random.int(0, 3)) {
    case 0:
      return tilde(parts.toSpliced(one, 1))
    case 1:
      return tilde(parts.toSpliced(one, 0, parts[two] ?? ''))
    case 2:
      return tilde(parts.with(one, parts[two] ?? '').with(two, parts[one] ?? ''))
    default:
      return tilde(parts.with(one, random.pick(foreign)))
  }
}

/** A member of a header, payload or disclosure changes, and no signature with it. */
const changeJson: Mutation = (random, { compact }) => {
  const parts = compact.split('~')
  const index = random.int(0, parts.length - 1)
  return tilde(parts.with(index, changeJwt(random, parts[index] ?? '', MEMBERS)))
}

/** The holder binds another choice of disclosures, some of them made up, with its own key, another, or none. */
const bindAgain: Mutation = async (random, { compact, holder }, other) => {
  const [jwt = '', ...rest] = compact.split('~')
  const binding = decode((rest.pop() ?? '').split('.')[1] ?? '') as object
  const madeUp = encode(['salt', random.pick([...MEMBERS, 'admin']), hostile(random)])
  const shown = rest.filter(() => random.chance(0.7))
  const sent = random.chance(0.5)
    ? [...shown, random.chance(0.5) ? madeUp : random.pick(other.compact.split('~'))]
    : shown
  const boundText = tilde([jwt, ...sent, ''])
  if (random.chance(0.05)) return boundText
  const sd_hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(boundText))).toString('base64url')
  const claims = { ...binding, sd_hash }
  const key = random.chance(0.8) ? holder : other.holder
  const header = { alg: key.alg, typ: 'kb+jwt' }
  return boundText + handmadeJws(header, random.chance(0.5) ? claims : spoil(random, claims, MEMBERS), key)
}

/** A forged attestation of the same issuer, signed by the holder. */
const forge: Mutation = (random, { compact, holder }) => {
  const [jwt = '', ...rest] = compact.split('~')
  const [header = '', payload = ''] = jwt.split('.')
  const head = { ...(decode(header) as object), ...(random.chance(0.5) && { jwk: holder.jwk }) }
  return tilde([handmadeJws(head, spoil(random, decode(payload), MEMBERS), holder), ...rest])
}

const MUTATIONS: readonly Mutation[] = [
  (random, { compact }) => changeText(random, compact),
  (random, { compact }) => truncate(random, compact),
  changeParts,
  changeJson,
  bindAgain,
  forge,
]

/** One of the presentations, with something wrong. */
export async function mutatePresentation(random: Random, originals: readonly Original[]): Promise<string> {
  const original = random.pick(originals)
  return random.pick(MUTATIONS)(random, original, random.pick(originals))
}

async function makeOriginal(world: World, alg: 'ES256' | 'EdDSA', name: string): Promise<Original> {
  const holder = await newKey(alg)
  const claims = { given_name: name, family_name: 'Lovelace', address: { city: 'London' } }
  const compact = await present(world, { alg, claims, binding: { holder } })
  const { json } = await ask(world, compact)
  return { compact, holder, result: json }
}

export function makeOriginals(world: World): Promise<readonly Original[]> {
  return Promise.all([
    makeOriginal(world, 'ES256', 'Ada'),
    makeOriginal(world, 'EdDSA', 'Bea'),
    makeOriginal(world, 'ES256', 'Cy'),
  ])
}

const ask = (world: World, compact: string) =>
  send(world.app, { vp_token: { q: [compact] }, presentation_submission: null, region: REGION, expected_nonce: NONCE })

/** POST /eudiw/verify with one presentation. */
export const presentations: Kind = async (world) => {
  const originals = await makeOriginals(world)
  return async (random) => {
    const compact = await mutatePresentation(random, originals)
    const answer = await ask(world, compact)
    const isSaid = originals.some(({ result }) => isSaidBy(result, answer.json))
    return judge(answer, { sent: compact, whyWrong: () => (isSaid ? null : 'the issuer never said this') })
  }
}

/** Whether a result says what the issuer said of this holder, or less. */
export function isSaidBy(
  said: VerifyAnswer,
  { claims, holder, issuer, vct, aud, nonce }: VerifyAnswer['presentations'][number],
): boolean {
  const isSame = isDeepStrictEqual(
    [holder, issuer, vct, aud, nonce],
    [said.holder, said.issuer, said.vct, said.aud, said.nonce],
  )
  const allowed = new Map(Object.entries(said.claims))
  return isSame && Object.entries(claims).every(([name, value]) => isDeepStrictEqual(value, allowed.get(name)))
}
