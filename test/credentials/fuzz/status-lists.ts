/** Status lists of another issuer with something wrong, and what a verifier makes of its attestations. */
import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { StatusList } from '@sd-jwt/jwt-status-list'
import { compactVerify, importJWK, type JWK } from 'jose'
import type { Random } from '../../faults/random'
import { handmadeJws, type Key, newKey } from '../../support/actors'
import { present, trust, verify } from '../verifier'
import { judge, type Kind } from './fuzz'
import { changeJwt, changeText, decode, hostile, spoil, truncate } from './mutate'

const REGION = 'LISTS'
const MEMBERS = ['iss', 'sub', 'iat', 'exp', 'ttl', 'status_list', 'alg', 'typ', 'kid', 'x5c', 'crit', '__proto__']
const PLACES = 16
const LARGEST = 16 * 1024 * 1024

interface Signer {
  readonly own: Key
  readonly other: Key
}

type Claims = Record<string, unknown>

const lstOf = (bytes: Uint8Array) => deflateSync(bytes).toString('base64url')

function spoilList(random: Random, list: { readonly bits: number; readonly lst: string }): unknown {
  switch (random.int(0, 4)) {
    case 0:
      return spoil(random, list, ['bits', 'lst', 'aggregation_uri', '__proto__'])
    case 1:
      return { ...list, lst: random.pick([changeText, truncate])(random, list.lst) }
    case 2:
      return { ...list, bits: random.pick([1, 2, 4, 8, 3, 16, '2', hostile(random)]) }
    case 3:
      return { ...list, lst: lstOf(Buffer.alloc(random.int(0, 2))) }
    default:
      return { ...list, lst: lstOf(Buffer.alloc(random.chance(0.05) ? LARGEST + 1 : PLACES)) }
  }
}

function makeToken(random: Random, claims: Claims, { own, other }: Signer): string {
  const header = { alg: 'ES256', typ: 'statuslist+jwt', kid: own.jwk.kid }
  const honest = handmadeJws(header, claims, own)
  const list = claims['status_list'] as { bits: number; lst: string }
  switch (random.int(0, 8)) {
    case 0:
      return changeText(random, honest)
    case 1:
      return truncate(random, honest)
    case 2:
      return changeJwt(random, honest, MEMBERS)
    case 3:
      return handmadeJws(header, spoil(random, claims, MEMBERS), own)
    case 4:
      return handmadeJws(spoil(random, header, MEMBERS), claims, own)
    case 5:
      return handmadeJws(header, claims, other)
    case 6:
    case 7:
      return handmadeJws(header, { ...claims, status_list: spoilList(random, list) }, own)
    default:
      return honest
  }
}

/** POST /eudiw/verify with an attestation whose status is in a list of its own. */
export const statusLists: Kind = async (world) => {
  const { app, foreign, holder } = world
  const named = async () => {
    const key = await newKey('ES256')
    return { ...key, jwk: { ...key.jwk, kid: 'lists' } }
  }
  const keys = { own: await named(), other: await named() }
  const issuer = `${foreign.origin}/lists`
  await trust(app, REGION, [{ issuer, algs: ['ES256'], jwks: { keys: [keys.own.jwk] } }])
  let count = 0
  return async (random) => {
    const path = `/lists/${(count += 1)}`
    const [uri, idx] = [foreign.origin + path, random.int(0, PLACES)]
    const seconds = Math.floor(app.clock.now().getTime() / 1000)
    const list = new StatusList(
      Array.from({ length: PLACES }, () => random.pick([0, 0, 1, 2, 3])),
      2,
    )
    const status_list = { bits: 2, lst: list.compressStatusList() }
    const claims = { iss: issuer, sub: uri, iat: seconds, exp: seconds + 60, ttl: 60, status_list }
    const token = makeToken(random, claims, keys)
    const served = random.chance(0.05) ? randomBytes(64) : token
    foreign.answer(path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/statuslist+jwt' })
      response.end(served)
    })
    const payload = { iss: issuer, status: { status_list: { idx, uri } } }
    const compact = await present(world, { payload, key: keys.own, binding: { holder } })
    const answer = await verify(app, compact, { region: REGION })
    foreign.answer(path, null)
    const isRevoked = answer.status === 403 && answer.json.error === 'attestation_revoked'
    const found = answer.status === 200 || isRevoked ? await statusIn(token, { uri, idx, key: keys.own.jwk }) : null
    const tried = await judge(answer, {
      sent: { token, idx },
      mayBeUnavailable: true,
      whyWrong: () => (found === 0 ? null : `no list that its issuer signed says this, but ${found}`),
    })
    const isWrong = isRevoked && found !== 1 && found !== 2
    return isWrong ? { ...tried, fault: `revoked by no list: ${found}\n${token}` } : tried
  }
}

interface Place {
  readonly uri: string
  readonly idx: number
  readonly key: JWK
}

/** The status that a list says by the book, read with jose and @sd-jwt/jwt-status-list; a text says why there is none. */
async function statusIn(token: string, { uri, idx, key }: Place): Promise<number | string> {
  const isSigned = await compactVerify(token.trim(), await importJWK(key, 'ES256')).then(
    () => true,
    () => false,
  )
  if (!isSigned) return 'not signed'
  const { sub, status_list: list } = decode(token.split('.')[1] ?? '') as {
    sub: unknown
    status_list: { bits: 1; lst: string }
  }
  if (sub !== uri) return 'another sub'
  return StatusList.decompressStatusList(list.lst, list.bits).getStatus(idx)
}
