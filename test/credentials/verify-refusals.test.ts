/** POST /eudiw/verify: the forms of a request and the code of each refusal (decisions A6, A7, D3, D6). */
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handmadeJws, newKey } from '../support/actors'
import {
  NONCE,
  present,
  REGION,
  refusal,
  send,
  startWorld,
  stopWorld,
  trust,
  VCT,
  verify,
  type World,
} from './verifier'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => stopWorld(world))

const INVALID = '400 vp_token_invalid'
const described = (path: string, format = 'dc+sd-jwt') => ({ id: 'x', format, path })
const ask = (vp_token: unknown, presentation_submission: unknown = null) =>
  refusal(send(world.app, { vp_token, presentation_submission, region: REGION }))

describe('forms of vp_token', () => {
  test('D3 the object of DCQL or its text, whatever the presentation_submission says', async () => {
    const answers = { pid: [await present(world)], 'other-1_x': [await present(world)] }
    for (const submission of [null, {}, { descriptor_map: 'nonsense' }]) {
      expect(await ask(answers, submission)).toBe('verified')
      expect(await ask(` ${JSON.stringify(answers)}`, submission)).toBe('verified')
    }
  })

  test('D3 a compact presentation, or an array of them, that descriptors lead to', async () => {
    const [one, two] = [await present(world), await present(world)]
    expect(await ask(one, { descriptor_map: [described('$')] })).toBe('verified')
    expect(await ask(one, { descriptor_map: [described('$', 'vc+sd-jwt')] })).toBe('verified')
    expect(await ask([one], { descriptor_map: [described('$[0]')] })).toBe('verified')
    expect(await ask([one, two], { descriptor_map: [described('$[1]'), described('$[0]')] })).toBe('verified')
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['an empty object', {}],
    ['no array', { descriptor_map: {} }],
    ['no entry', { descriptor_map: [] }],
    ['an entry too many', { descriptor_map: [described('$'), described('$')] }],
    ['an entry that is no object', { descriptor_map: ['$'] }],
    ['the path of an array', { descriptor_map: [described('$[0]')] }],
    ['a path that leads nowhere', { descriptor_map: [described('$.vp')] }],
    ['no path', { descriptor_map: [{ format: 'dc+sd-jwt' }] }],
  ])('D3 a compact presentation beside a submission with %s is vp_token_invalid', async (_, submission) => {
    expect(await ask(await present(world), submission)).toBe(INVALID)
  })

  test.each(['$', '$[1]', '$[00]', '$[-1]', '$[1e0]', '$[0]x'])(
    'D3 the path %s of an array does not resolve',
    async (path) => {
      expect(await ask([await present(world)], { descriptor_map: [described(path)] })).toBe(INVALID)
    },
  )

  test('D3 two descriptors of the same presentation are vp_token_invalid', async () => {
    const both = [await present(world), await present(world)]
    expect(await ask(both, { descriptor_map: [described('$[0]'), described('$[0]')] })).toBe(INVALID)
  })

  test.each(['jwt_vp', 'ldp_vp', 'mso_mdoc', '', 1, null])(
    'D3 the format %j is vp_formats_not_supported',
    async (format) => {
      const submission = { descriptor_map: [{ ...described('$'), format }] }
      expect(await ask(await present(world), submission)).toBe('400 vp_formats_not_supported')
    },
  )

  test.each<[string, unknown]>([
    ['an empty object', {}],
    ['an empty array', []],
    ['a text where an array belongs', { pid: 'x~' }],
    ['an empty array in the object', { pid: [] }],
    ['an object as presentation', { pid: [{}] }],
    ['null as presentations', { pid: null }],
    ['nine presentations', { pid: Array.from({ length: 9 }, () => 'x~') }],
    ['nine queries', Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`q${index}`, ['x~']]))],
    ['nine texts', Array.from({ length: 9 }, () => 'x~')],
    ['an id with a space', { 'a b': ['x~'] }],
    ['an empty text', ''],
    ['a text of broken JSON', '{"pid":["x~"]'],
    ['a text of an empty object', '{}'],
    ['an id that is __proto__', JSON.parse('{"__proto__":["x~"]}')],
    ['a text with an id that is __proto__', '{"__proto__":["x~"]}'],
  ])('D3 %s is vp_token_invalid', async (_, vpToken) => {
    expect(await ask(vpToken)).toBe(INVALID)
  })

  test.each<[string, unknown]>([
    ['a number', 1],
    ['true', true],
    ['null', null],
    ['an array of objects', [{}]],
  ])('D3 %s as vp_token is 422', async (_, vpToken) => {
    expect(await ask(vpToken)).toBe('422 body.vp_token')
  })

  test('D3 a body that lacks a member, or has one of another type, is 422 with its place', async () => {
    const { app } = world
    const whole = { vp_token: { pid: ['x~'] }, presentation_submission: null, region: REGION }
    const missing = { type: 'missing' }
    for (const name of Object.keys(whole)) {
      const body = Object.fromEntries(Object.entries(whole).filter(([member]) => member !== name))
      const answer = await send(app, body)
      expect(answer.status).toBe(422)
      expect(answer.json.detail).toMatchObject([{ loc: ['body', name], ...(name === 'vp_token' ? {} : missing) }])
    }
    const wrong = [
      ['presentation_submission', 'x'],
      ['presentation_submission', []],
      ['region', 1],
      ['region', null],
      ['expected_aud', 1],
      ['expected_aud', ''],
      ['expected_nonce', {}],
      ['expected_nonce', ''],
    ] as const
    for (const [name, value] of wrong) {
      expect(await refusal(send(app, { ...whole, [name]: value }))).toBe(`422 body.${name}`)
    }
  })

  test('A6 A7 media type, size and JSON of the body', async () => {
    const { app } = world
    expect(await refusal(send(app, '{}', { 'content-type': 'text/plain' }))).toBe('415 unsupported_media_type')
    expect(await refusal(send(app, `"${'x'.repeat(262_143)}"`))).toBe('413 body_too_large')
    expect(await refusal(send(app, '{'))).toBe('400 invalid_request')
    const body = { vp_token: { pid: ['x'.repeat(200_000)] }, presentation_submission: null, region: REGION }
    expect(await refusal(send(app, body))).toBe(INVALID)
  })
})

describe('codes', () => {
  const outcome = async (draft: Parameters<typeof present>[1]) =>
    refusal(verify(world.app, await present(world, draft)))
  const seconds = () => Math.floor(world.app.clock.now().getTime() / 1000)
  /** And waits until the list that was read before may not be used any more. */
  const revoke = (idx: number, status = 1) => {
    world.foreign.revoke(idx, status)
    world.app.clock.advance({ seconds: 61 })
  }

  test('D6 no KB-JWT, and no cnf.jwk, are holder_binding_missing', async () => {
    const missing = '400 holder_binding_missing'
    expect(await outcome({ binding: null })).toBe(missing)
    expect(await outcome({ payload: { cnf: { kid: 'x' } } })).toBe(missing)
    expect(await outcome({ payload: { cnf: undefined } })).toBe(missing)
  })

  test('D6 aud in an array is audience_mismatch, a nonce that is absent nonce_mismatch', async () => {
    const { baseUrl } = world.app
    expect(await outcome({ binding: { payload: { aud: [baseUrl] } } })).toBe('400 audience_mismatch')
    expect(await outcome({ binding: { payload: { nonce: undefined } } })).toBe('400 nonce_mismatch')
  })

  test('D6 an attestation whose exp has passed is presentation_expired', async () => {
    expect(await outcome({ exp: seconds() })).toBe('400 presentation_expired')
    expect(await outcome({ exp: seconds() + 30 })).toBe('verified')
  })

  test('D6 one that is not valid yet is vp_token_invalid', async () => {
    expect(await outcome({ payload: { nbf: seconds() + 90 } })).toBe(INVALID)
  })

  test.each([1, 2])('D6 status %i is attestation_revoked', async (status) => {
    revoke(20 + status, status)
    expect(await outcome({ status: 20 + status })).toBe('403 attestation_revoked')
  })

  test('D6 a status list that cannot be relied on is 503', async () => {
    const { app, foreign } = world
    expect(await outcome({ status: 1_000 })).toBe('503 service_unavailable')
    const unreachable = { status: { status_list: { idx: 1, uri: `${foreign.origin}/nowhere` } } }
    expect(await outcome({ payload: unreachable })).toBe('503 service_unavailable')
    const inside = { status: { status_list: { idx: 1, uri: 'https://169.254.169.254/latest' } } }
    expect(await outcome({ payload: inside })).toBe('503 service_unavailable')
    app.clock.advance({ seconds: 301 })
    foreign.answerStatus({ claims: { sub: 'https://other.example' } })
    expect(await outcome({ status: 4 })).toBe('503 service_unavailable')
    foreign.answerStatus({})
    expect(await outcome({ status: 4 })).toBe('verified')
  })

  test('D6 the status is not fetched for a presentation that is invalid otherwise', async () => {
    const { foreign } = world
    const uri = `${foreign.origin}/asked`
    const claims = { status: { status_list: { idx: 1, uri } } }
    await outcome({ payload: claims, binding: { nonce: '' } })
    const good = await present(world, { payload: claims })
    const bad = await present(world, { binding: { nonce: '' } })
    await verify(world.app, '', { vp_token: { a: [good], b: [bad] } })
    expect(foreign.requests).not.toContain('/asked')
  })

  test('D6 signatures, keys and types that do not hold are vp_token_invalid', async () => {
    const other = { ...(await newKey('ES256')) }
    const unknown = { ...other, jwk: { ...other.jwk, kid: 'unknown' } }
    const named = { ...other, jwk: { ...other.jwk, kid: world.foreign.jwks.keys[0]?.kid ?? '' } }
    expect(await outcome({ key: unknown })).toBe(INVALID)
    expect(await outcome({ key: named })).toBe(INVALID)
    expect(await outcome({ header: { typ: 'vc+sd-jwt' } })).toBe(INVALID)
    expect(await outcome({ header: { crit: ['b64'] } })).toBe(INVALID)
    expect(await outcome({ binding: { iat: seconds() - 301 } })).toBe(INVALID)
    expect(await outcome({ binding: { iat: seconds() + 61 } })).toBe(INVALID)
    expect(await outcome({ payload: { vct: 1 } })).toBe(INVALID)
  })

  test('D6 alg none and keys in the header gain nothing', async () => {
    const { foreign, app, holder } = world
    const mine = await newKey('ES256')
    const claims = { iss: foreign.issuer, vct: VCT, cnf: { jwk: holder.jwk } }
    const head = { typ: 'dc+sd-jwt', kid: foreign.jwks.keys[0]?.kid }
    const forged = [
      handmadeJws({ ...head, alg: 'none' }, claims, () => Buffer.from('x')),
      handmadeJws({ ...head, alg: 'ES256', jwk: mine.jwk }, claims, mine),
      handmadeJws({ ...head, alg: 'HS256' }, claims, () => Buffer.alloc(32)),
    ]
    for (const jwt of forged) {
      const bound = await foreign.present(`${jwt}~`, { holder, aud: app.baseUrl, nonce: NONCE })
      expect(await refusal(verify(app, bound))).toBe(INVALID)
    }
  })

  test('D6 a disclosure that nothing refers to is vp_token_invalid', async () => {
    const { app, holder } = world
    const [jwt = '', ...rest] = (await present(world)).split('~')
    const extra = Buffer.from('["salt","admin",true]').toString('base64url')
    const boundText = [jwt, ...rest.slice(0, -1), extra, ''].join('~')
    const sd_hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(boundText))).toString('base64url')
    const binding = await new SignJWT({ iat: seconds(), aud: app.baseUrl, nonce: NONCE, sd_hash })
      .setProtectedHeader({ alg: 'ES256', typ: 'kb+jwt' })
      .sign(holder.privateKey)
    expect(await refusal(verify(app, boundText + binding))).toBe(INVALID)
  })

  test('D6 the order: form, trust list, issuer signature, times, key binding, status', async () => {
    const key = { ...(await newKey('ES256')), jwk: { kid: 'unknown' } }
    const stranger = { iss: 'https://stranger.example' }
    revoke(30)
    const late = { exp: seconds() - 1, status: 30, binding: { aud: 'x', nonce: '' } }
    expect(await outcome({ ...late, key, payload: stranger, header: { typ: 'x' } })).toBe(INVALID)
    expect(await outcome({ ...late, key, payload: stranger })).toBe('403 issuer_untrusted')
    expect(await outcome({ ...late, key })).toBe(INVALID)
    expect(await outcome(late)).toBe('400 presentation_expired')
    const binding = { aud: 'x', nonce: '' }
    expect(await outcome({ status: 30, binding })).toBe('400 audience_mismatch')
    expect(await outcome({ status: 30, binding: { nonce: '' } })).toBe('400 nonce_mismatch')
    expect(await outcome({ status: 30 })).toBe('403 attestation_revoked')
  })

  test('D6 a type that the region does not trust the issuer for is issuer_untrusted', async () => {
    const { app, foreign } = world
    const listed = { issuer: foreign.issuer, algs: ['ES256', 'EdDSA'], vct_values: [VCT] }
    await trust(app, 'ONE-TYPE', [listed])
    const under = async (vct: string) => refusal(verify(app, await present(world, { vct }), { region: 'ONE-TYPE' }))
    expect(await under(VCT)).toBe('verified')
    expect(await under(`${VCT}/other`)).toBe('403 issuer_untrusted')
  })

  test('A7 an attestation that is too large is vp_token_invalid, also of an issuer that nobody trusts', async () => {
    const big = { iss: 'https://stranger.example', filling: 'x'.repeat(60_000) }
    expect(await outcome({ payload: big })).toBe(INVALID)
  })
})
