/**
 * Checks that the OpenID conformance suite makes of a federation entity, a listing, a statement and a resolve response. The
 * titles are the names of its conditions, in net.openid.conformance.openid.federation.
 */
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange, must } from '../support/actors'
import { type App, startApp } from '../support/app'
import {
  ask,
  type Claims,
  claimsOf,
  ENTITY_STATEMENT,
  type Entity,
  enrol,
  type Federation,
  resolve,
  startFederation,
} from './entities'

type Answer = Awaited<ReturnType<typeof resolve>>

let app: App
let federation: Federation
let leaf: Entity
let configuration: Answer
let statement: Answer
beforeAll(async () => {
  app = await startApp({ env: { SWITCH_FEDERATION: 'true' }, seed: false })
  federation = await startFederation(app)
  leaf = await federation.entity('leaf', { hints: [app.baseUrl] })
  must(await enrol(app, leaf), 201)
  configuration = await exchange(`${app.baseUrl}/.well-known/openid-federation`)
  statement = await ask(app, '/federation/fetch', { sub: leaf.id })
})
afterAll(async () => {
  await federation.close()
  await app.close()
})

const keysOf = (answer: Answer) => (claimsOf(answer)['jwks'] as { keys: Claims[] }).keys
const metadataOf = (answer: Answer) => claimsOf(answer)['metadata'] as Record<string, Claims> | undefined
const both = (): [Answer, string][] => [
  [configuration, app.baseUrl],
  [statement, leaf.id],
]

test('EnsureContentTypeEntityStatementJwt', () => {
  for (const [{ headers }] of both()) expect(headers.get('content-type')).toBe(ENTITY_STATEMENT)
})

test('EnsureEntityStatementContainsKid, and the signature is that of the key', async () => {
  const keys = createLocalJWKSet({ keys: keysOf(configuration) } as JSONWebKeySet)
  for (const [{ text }] of both()) {
    expect(decodeProtectedHeader(text)).toMatchObject({ typ: 'entity-statement+jwt', kid: expect.any(String) })
    await jwtVerify(text, keys)
  }
})

test('CheckDistinctKeyIdValueInEntityStatementJWKs', () => {
  for (const [answer] of both()) {
    const kids = keysOf(answer).map(({ kid }) => kid)
    expect([new Set(kids).size, kids.includes(undefined)]).toEqual([kids.length, false])
  }
})

test('EnsureEntityStatementJwksDoesNotContainPrivateOrSymmetricKeys', () => {
  for (const [answer] of both()) {
    for (const key of keysOf(answer))
      expect(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].filter((name) => name in key)).toEqual([])
  }
})

test('ValidateEntityStatementIss, ValidateEntityStatementSub, ValidateEntityStatementIat and ValidateEntityStatementExp', () => {
  const now = Date.now() / 1000
  for (const [answer, sub] of both()) {
    const { iss, sub: said, iat, exp } = claimsOf(answer)
    expect([iss, said]).toEqual([app.baseUrl, sub])
    expect(Math.abs(now - Number(iat))).toBeLessThan(300)
    expect(Number(exp)).toBeGreaterThan(now)
  }
})

test('ValidateFederationEntityMetadata', () => {
  const entity = metadataOf(configuration)?.['federation_entity'] ?? {}
  const endpoints = Object.entries(entity).filter(([name]) => name.endsWith('_endpoint'))
  expect(endpoints.map(([name]) => name).toSorted()).toEqual(
    ['fetch', 'list', 'resolve', 'trust_mark', 'trust_mark_status'].map((name) => `federation_${name}_endpoint`),
  )
  for (const [, url] of endpoints) expect([new URL(String(url)).hash, new URL(String(url)).search]).toEqual(['', ''])
})

test('ValidateAbsenceOfAuthorityHints and ValidateAbsenceOfMetadataPolicy', () => {
  for (const [answer] of both()) expect(claimsOf(answer)).not.toHaveProperty('authority_hints')
  expect(claimsOf(configuration)).not.toHaveProperty('metadata_policy')
})

test('ValidateAbsenceOfFederationEntityMetadata', () => {
  expect(metadataOf(statement) ?? {}).not.toHaveProperty('federation_entity')
})

test('EnsureResponseIsJsonArray and VerifyPrimaryEntityPresenceInSubordinateListing', async () => {
  const { json, headers } = await ask<string[]>(app, '/federation/list')
  expect(headers.get('content-type')).toBe('application/json')
  expect(json).toEqual([leaf.id])
})

test('EnsureNotFoundError', async () => {
  const { status, json, headers } = await ask(app, '/federation/fetch', { sub: 'https://unknown.example' })
  expect([status, json['error'], headers.get('content-type')]).toEqual([404, 'not_found', 'application/json'])
})

test('EnsureContentTypeResolveResponseJwt and ExtractTrustChainFromResolveResponse', async () => {
  const answer = await resolve(app, leaf.id)
  expect(answer.headers.get('content-type')).toBe('application/resolve-response+jwt')
  const chain = (claimsOf(answer)['trust_chain'] as string[]).map((text) => claimsOf({ text }))
  expect(chain.map(({ iss, sub }) => [iss, sub])).toEqual([
    [leaf.id, leaf.id],
    [app.baseUrl, leaf.id],
    [app.baseUrl, app.baseUrl],
  ])
})
