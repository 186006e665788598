import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Browser, dataOf, newPortalPerson, refusalOf } from '@/test/support/browser'
import { type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import {
  createAuthenticator,
  type KeyKind,
  type Lies,
  type SoftwareAuthenticator,
} from '@/test/support/software-authenticator'
import { withToken } from '@/test/support/wallet-token'
import type { WalletCall } from '../../base/core/call'
import type { Platform } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { installPlatform } from '../../base/platform/container'
import { sha256Base64url } from '../../base/protocol/encoding'
import { readMessages } from '../../shared/notifications'
import { findPortalSession } from '../sessions'
import { FRESH_SESSION_SECONDS, type PasskeyCreation, type StepUpAction, type StepUpProof } from './contract'
import {
  finishPasskeySignIn,
  proveStepUp,
  registerPasskey,
  removePasskey,
  renamePasskey,
  requireTokenSuffices,
  resetPasskeys,
  setPasskeyRequirement,
  startPasskeySignIn,
  startRegistration,
  stepUpOptions,
  verifyStepUpEvidence,
} from './index'

let fixture: MoneyFixture
let platform: Platform
let party: { rpId: string; origin: string }
let people = 0

beforeAll(async () => {
  fixture = await openMoneyFixture()
  platform = {
    ...fixture.platform,
    rateLimits: { take: () => Promise.resolve({ allowed: true, retryAfterSeconds: 0 }) },
  }
  const { hostname, origin } = new URL(platform.config.baseUrl)
  party = { rpId: hostname, origin }
})
beforeEach(() => installPlatform(platform))
afterAll(async () => {
  installPlatform(null)
  await fixture.close()
})

interface Signed {
  readonly id: string
  readonly email: string
  /** The person's call in the session that they opened first. */
  call(changes?: Partial<WalletCall['actor']>): WalletCall
}

async function newPerson(): Promise<Signed> {
  people += 1
  const person = { id: `person-${people}`, email: `person-${people}@demo.test` }
  await newPortalPerson(platform, person)
  const session = { id: `session-${people}`, method: 'magic_link', authenticatedAt: fixture.clock.now() } as const
  const call = (changes: Partial<Pick<WalletCall['actor'], 'session'>> = {}): WalletCall => ({
    platform,
    requestId: 'request',
    now: fixture.clock.now(),
    actor: { kind: 'wallet', principalId: person.id, tenantId: 'portal', via: 'portal', session, ...changes },
  })
  return { ...person, call }
}

const newAuthenticator = (kind: KeyKind = 'ES256') => createAuthenticator({ ...party, kind })

/** Confirms with the authenticator when a passkey is asked for. */
async function prove(
  call: WalletCall,
  action: StepUpAction,
  { key, lies = {} }: { key: SoftwareAuthenticator; lies?: Lies },
): Promise<StepUpProof | undefined> {
  const options = await stepUpOptions(call, action)
  if (options.way !== 'passkey') return undefined
  return { challenge_id: options.challenge_id, response: key.get(options.options, lies) }
}

const adding: StepUpAction = { purpose: 'passkey.add', subject: {} }

async function addPasskey(person: Signed, key: SoftwareAuthenticator, prover = key): Promise<string> {
  const call = person.call()
  const proof = await prove(call, adding, { key: prover })
  const { challenge_id, options } = await startRegistration(call, { proof })
  const { id } = await registerPasskey(call, { challenge_id, name: 'Laptop', response: key.create(options) })
  return id
}

/** Returns a person with a passkey, whose session was opened a while ago. */
async function withPasskey(kind: KeyKind = 'ES256'): Promise<{ person: Signed; key: SoftwareAuthenticator }> {
  const [person, key] = [await newPerson(), newAuthenticator(kind)]
  await addPasskey(person, key)
  return { person, key }
}

const approval: StepUpAction = {
  purpose: 'consent.approve',
  subject: {
    authorization_id: 'a1',
    merchant_audience: 'https://tallow.example',
    amount_minor: 1_200,
    currency: 'EUR',
  },
}
const refused = { code: 'step_up_required', status: 403, members: { way: 'passkey' } }
const refusedSession = { code: 'step_up_required', status: 403, members: { way: 'sign_in' } }

describe('adding a passkey', () => {
  test.each<KeyKind>(['ES256', 'EdDSA'])('a person adds a key of the kind %s, which then confirms', async (kind) => {
    const { person, key } = await withPasskey(kind)
    const proof = await prove(person.call(), approval, { key })
    await expect(proveStepUp(person.call(), approval, proof)).resolves.toMatchObject({
      method: 'passkey',
      passkey_id: key.credentialIds[0],
    })
  })

  test('the options ask for a discoverable credential with user verification, and exclude known ones', async () => {
    const { person, key } = await withPasskey()
    const proof = await prove(person.call(), adding, { key })
    const { options } = await startRegistration(person.call(), { proof })
    expect(options).toMatchObject({
      rp: { id: party.rpId, name: 'Countersign' },
      user: { id: Buffer.from(person.id).toString('base64url'), name: person.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: key.credentialIds[0] }],
    })
    expect(() => key.create(options)).toThrow('InvalidStateError')
  })

  test('the first passkey needs a recent session', async () => {
    const person = await newPerson()
    fixture.clock.advance(FRESH_SESSION_SECONDS)
    await expect(startRegistration(person.call(), {})).rejects.toMatchObject(refusedSession)
  })

  test('a further passkey needs a signature of an earlier one, however recent the session', async () => {
    const { person } = await withPasskey()
    await expect(startRegistration(person.call(), {})).rejects.toMatchObject(refused)
  })

  test('of registrations that were started without a passkey one is finished; then only a signature adds another', async () => {
    const person = await newPerson()
    const start = () => startRegistration(person.call(), {})
    const [late, ...begun] = [await start(), await start(), await start(), await start()]
    const finish = ({ challenge_id, options }: typeof late) =>
      registerPasskey(person.call(), { challenge_id, name: 'Key', response: newAuthenticator().create(options) })
    const outcomes = await Promise.allSettled(begun.map(finish))
    const rejected = outcomes.filter(({ status }) => status === 'rejected')
    expect(rejected).toMatchObject([{ reason: refused }, { reason: refused }])
    await expect(finish(late)).rejects.toMatchObject(refused)
    expect(await fixture.count('passkeys', sql`principal_id = ${person.id}`)).toBe(1)
  })

  const lies: [string, Lies][] = [
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['no user verification', { userVerified: false }],
    ['another challenge', { challenge: sha256Base64url('guessed') }],
  ]
  test.each(lies)('a registration with %s is refused and uses up the challenge', async (_, lie) => {
    const person = await newPerson()
    const key = newAuthenticator()
    const { challenge_id, options } = await startRegistration(person.call(), {})
    const input = { challenge_id, name: 'Laptop' }
    await expect(
      registerPasskey(person.call(), { ...input, response: key.create(options, lie) }),
    ).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(registerPasskey(person.call(), { ...input, response: key.create(options) })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await fixture.count('passkeys', sql`principal_id = ${person.id}`)).toBe(0)
  })

  test('one of parallel registrations with the same challenge succeeds', async () => {
    const person = await newPerson()
    const { challenge_id, options } = await startRegistration(person.call(), {})
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        registerPasskey(person.call(), { challenge_id, name: 'Key', response: newAuthenticator().create(options) }),
      ),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await fixture.count('passkeys', sql`principal_id = ${person.id}`)).toBe(1)
  })

  test('a registration ends after five minutes, and with the session that began it', async () => {
    const person = await newPerson()
    const key = newAuthenticator()
    const begin = () => startRegistration(person.call(), {})
    const finish = ({ challenge_id, options }: { challenge_id: string; options: PasskeyCreation }, call: WalletCall) =>
      registerPasskey(call, { challenge_id, name: 'Key', response: key.create(options) })
    const session = { id: 'another', method: 'magic_link', authenticatedAt: fixture.clock.now() } as const
    await expect(finish(await begin(), person.call({ session }))).rejects.toMatchObject({ code: 'conflict' })
    const begun = await begin()
    fixture.clock.advance(5 * 60)
    await expect(finish(begun, person.call())).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a twenty-first passkey is refused', async () => {
    const { person, key } = await withPasskey()
    await platform.db.query(
      sql`INSERT INTO passkeys (id, principal_id, public_key, counter, transports, device_type, backed_up, name, created_at)
       SELECT ${person.id} || n, ${person.id}, '', 0, '[]', 'single_device', false, 'Key', now() FROM generate_series(1, 19) n`,
    )
    const proof = await prove(person.call(), adding, { key })
    await expect(startRegistration(person.call(), { proof })).rejects.toMatchObject({ code: 'conflict' })
  })

  test('the person is notified by mail each time a passkey is added, removed or required', async () => {
    const { person, key } = await withPasskey()
    const second = newAuthenticator()
    const id = await addPasskey(person, second, key)
    for (const required of [true, true, false]) {
      const action: StepUpAction = { purpose: 'security.relax', subject: { passkey_required: false } }
      const proof = required ? undefined : await prove(person.call(), action, { key })
      await setPasskeyRequirement(person.call(), { required, proof })
    }
    const action: StepUpAction = { purpose: 'passkey.remove', subject: { passkey_id: id } }
    await removePasskey(person.call(), { id, proof: await prove(person.call(), action, { key }) })
    const mails = (await readMessages(platform, 200)).filter(({ to }) => to === person.email)
    expect(mails.map(({ subject }) => subject ?? '').toSorted((one, other) => one.localeCompare(other))).toEqual([
      'A passkey was added to your wallet',
      'A passkey was added to your wallet',
      'A passkey was removed from your wallet',
      'Approvals no longer need a passkey',
      'Approvals now need a passkey',
    ])
    const required = mails.find(({ subject }) => subject === 'Approvals now need a passkey')
    expect(required?.links).toEqual([`${platform.config.baseUrl}/settings/security`])
  })
})

describe('confirming with a passkey', () => {
  test('the evidence can be verified later, against what was confirmed and nothing else', async () => {
    const { person, key } = await withPasskey()
    const evidence = await proveStepUp(person.call(), approval, await prove(person.call(), approval, { key }))
    if (evidence.method !== 'passkey') throw new Error('expected a signature')
    const kept = { ...approval, principalId: person.id, evidence: structuredClone(evidence) }
    await platform.db.query(sql`DELETE FROM passkeys WHERE principal_id = ${person.id}`)
    expect(await verifyStepUpEvidence(platform.config, kept)).toBe(true)

    const changes = [
      { subject: { ...approval.subject, amount_minor: 1_201 } },
      { subject: { ...approval.subject, merchant_audience: 'https://ta11ow.example' } },
      { purpose: 'bump.approve' as const },
      { principalId: 'somebody-else' },
      { evidence: { ...evidence, nonce: 'another' } },
      { evidence: { ...evidence, challenge: sha256Base64url('another') } },
      { evidence: { ...evidence, public_key: Buffer.alloc(77).toString('base64url') } },
      { evidence: { ...evidence, response: { ...evidence.response, signature: 'AAAA' } } },
    ]
    for (const change of changes)
      expect(await verifyStepUpEvidence(platform.config, { ...kept, ...change })).toBe(false)
    expect(await verifyStepUpEvidence({ baseUrl: 'https://elsewhere.example' }, kept)).toBe(false)
  })

  test('a proof works once', async () => {
    const { person, key } = await withPasskey()
    const proof = await prove(person.call(), approval, { key })
    await proveStepUp(person.call(), approval, proof)
    await expect(proveStepUp(person.call(), approval, proof)).rejects.toMatchObject(refused)
  })

  test('one of parallel uses of a challenge succeeds', async () => {
    const { person, key } = await withPasskey()
    const proof = await prove(person.call(), approval, { key })
    const uses = await Promise.allSettled(Array.from({ length: 8 }, () => proveStepUp(person.call(), approval, proof)))
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a proof is refused for anything but what its challenge commits to', async () => {
    const { person, key } = await withPasskey()
    const others: StepUpAction[] = [
      { ...approval, purpose: 'bump.approve' },
      { ...approval, subject: { ...approval.subject, amount_minor: 120_000 } },
      { ...approval, subject: { ...approval.subject, merchant_audience: 'https://evil.example' } },
      { ...approval, subject: { ...approval.subject, extra: null } },
      { ...approval, subject: {} },
    ]
    for (const other of others) {
      const proof = await prove(person.call(), approval, { key })
      await expect(proveStepUp(person.call(), other, proof)).rejects.toMatchObject(refused)
    }
  })

  test('the order of the members in the subject makes no difference', async () => {
    const { person, key } = await withPasskey()
    const proof = await prove(person.call(), approval, { key })
    const subject = Object.fromEntries(Object.entries(approval.subject).toReversed())
    await expect(proveStepUp(person.call(), { ...approval, subject }, proof)).resolves.toMatchObject({
      method: 'passkey',
    })
  })

  test('a proof is refused in another session and for another person', async () => {
    const { person, key } = await withPasskey()
    const other = await withPasskey()
    const session = { id: 'another', method: 'passkey', authenticatedAt: fixture.clock.now() } as const
    const proof = await prove(person.call(), approval, { key })
    await expect(proveStepUp(person.call({ session }), approval, proof)).rejects.toMatchObject(refused)
    await expect(proveStepUp(other.person.call(), approval, proof)).rejects.toMatchObject(refused)
    // The refused attempts have not used the proof up.
    await expect(proveStepUp(person.call(), approval, proof)).resolves.toMatchObject({ method: 'passkey' })
  })

  test("another person's passkey is refused", async () => {
    const { person } = await withPasskey()
    const { key: foreign } = await withPasskey()
    const lies = { credentialId: foreign.credentialIds[0] ?? '' }
    const proof = await prove(person.call(), approval, { key: foreign, lies })
    await expect(proveStepUp(person.call(), approval, proof)).rejects.toMatchObject(refused)
  })

  const lies: [string, Lies][] = [
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['no user verification', { userVerified: false }],
    ['another challenge', { challenge: sha256Base64url('guessed') }],
  ]
  test.each(lies)('a proof with %s is refused and uses up the challenge', async (_, lie) => {
    const { person, key } = await withPasskey()
    const options = await stepUpOptions(person.call(), approval)
    if (options.way !== 'passkey') throw new Error('expected a challenge')
    const { challenge_id } = options
    const answer = (given: Lies = {}) => ({ challenge_id, response: key.get(options.options, given) })
    await expect(proveStepUp(person.call(), approval, answer(lie))).rejects.toMatchObject(refused)
    await expect(proveStepUp(person.call(), approval, answer())).rejects.toMatchObject(refused)
  })

  test('a challenge ends after two minutes', async () => {
    const { person, key } = await withPasskey()
    const proof = await prove(person.call(), approval, { key })
    fixture.clock.advance(120)
    await expect(proveStepUp(person.call(), approval, proof)).rejects.toMatchObject(refused)
  })

  test('a signature counter that does not grow is refused and logged without personal data', async () => {
    const { person, key } = await withPasskey()
    const warnings: unknown[][] = []
    const log = { ...platform.log, warn: (...told: unknown[]) => void warnings.push(told) }
    const call = { ...person.call(), platform: { ...platform, log } }
    for (const counter of [0, 1]) {
      const proof = await prove(call, approval, { key, lies: { counter } })
      await expect(proveStepUp(call, approval, proof)).rejects.toMatchObject(refused)
    }
    const warning = ['the signature counter of a passkey went back', { requestId: 'request' }]
    expect(warnings).toEqual([warning, warning])
    const proof = await prove(call, approval, { key, lies: { counter: 2 } })
    await expect(proveStepUp(call, approval, proof)).resolves.toMatchObject({ method: 'passkey' })
  })

  test('a passkey without a counter works, as synced ones do', async () => {
    const person = await newPerson()
    const key = createAuthenticator({ ...party, counts: false })
    await addPasskey(person, key)
    for (let turn = 0; turn < 2; turn += 1) {
      const proof = await prove(person.call(), approval, { key })
      await expect(proveStepUp(person.call(), approval, proof)).resolves.toMatchObject({ method: 'passkey' })
    }
  })

  test('a subject that JSON cannot represent is answered with invalid_request', async () => {
    const { person } = await withPasskey()
    const deep = Array.from({ length: 2_000 }).reduce<unknown>((inner) => [inner], 1)
    for (const value of [deep, '\ud800']) {
      const action = { ...approval, subject: { value } }
      await expect(stepUpOptions(person.call(), action)).rejects.toMatchObject({ code: 'invalid_request' })
    }
  })
})

describe('confirming without a passkey', () => {
  test.each(['magic_link', 'demo'] as const)(
    'a session from a %s sign-in confirms for fifteen minutes',
    async (method) => {
      const person = await newPerson()
      const session = { id: 'fresh', method, authenticatedAt: fixture.clock.now() }
      const now = () => person.call({ session })
      expect(await stepUpOptions(now(), approval)).toEqual({ way: 'session' })
      fixture.clock.advance(FRESH_SESSION_SECONDS - 1)
      expect(await proveStepUp(now(), approval, undefined)).toEqual({
        method,
        session_id_hash: sha256Base64url('fresh'),
      })
      fixture.clock.advance(1)
      expect(await stepUpOptions(now(), approval)).toEqual({ way: 'sign_in' })
      await expect(proveStepUp(now(), approval, undefined)).rejects.toMatchObject(refusedSession)
    },
  )

  test('neither a session of a removed passkey nor a call without a session confirms', async () => {
    const person = await newPerson()
    const session = { id: 'old', method: 'passkey', authenticatedAt: fixture.clock.now() } as const
    await expect(proveStepUp(person.call({ session }), approval, undefined)).rejects.toMatchObject(refusedSession)
    await expect(proveStepUp(person.call({ session: null }), approval, undefined)).rejects.toMatchObject(refusedSession)
    await expect(stepUpOptions(person.call({ session: null }), approval)).rejects.toMatchObject(refusedSession)
  })

  test('a recent session is enough where the installation has an IP address and no host name', async () => {
    const { person } = await withPasskey()
    for (const baseUrl of ['http://127.0.0.1:3000', 'http://[::1]:3000']) {
      const call = { ...person.call(), platform: { ...platform, config: { ...platform.config, baseUrl } } }
      expect(await stepUpOptions(call, approval)).toEqual({ way: 'session' })
      await expect(startRegistration(call, {})).rejects.toMatchObject({ code: 'conflict' })
      await platform.db.query(sql`UPDATE principals SET passkey_required = true WHERE id = ${person.id}`)
      await expect(proveStepUp(call, approval, undefined)).rejects.toMatchObject(refused)
      await platform.db.query(sql`UPDATE principals SET passkey_required = false WHERE id = ${person.id}`)
    }
  })
})

describe('a wallet token', () => {
  test('B8 a wallet token takes the place of a confirmation when a passkey confirmed it', async () => {
    const { person } = await withPasskey()
    expect(await proveStepUp(withToken(person.call()), approval, undefined)).toEqual({ method: 'token' })
    await expect(proveStepUp(withToken(person.call(), { acr: 'mail' }), approval, undefined)).rejects.toMatchObject({
      code: 'insufficient_user_authentication',
      status: 401,
    })
    await requireTokenSuffices(person.call())
  })

  test('a requirement of passkeys ends with a passkey alone', async () => {
    const { person, key } = await withPasskey()
    await setPasskeyRequirement(person.call(), { required: true })
    const relax: StepUpAction = { purpose: 'security.relax', subject: { passkey_required: false } }
    await expect(setPasskeyRequirement(person.call(), { required: false })).rejects.toMatchObject(refused)
    await setPasskeyRequirement(person.call(), { required: false, proof: await prove(person.call(), relax, { key }) })
    await setPasskeyRequirement(person.call(), { required: true })
  })
})

describe('managing passkeys', () => {
  const removing = (id: string): StepUpAction => ({ purpose: 'passkey.remove', subject: { passkey_id: id } })

  test('another person can neither rename nor remove a passkey', async () => {
    const { person, key } = await withPasskey()
    const other = await withPasskey()
    const id = key.credentialIds[0] ?? ''
    const call = other.person.call()
    await expect(renamePasskey(call, { id, name: 'Mine' })).rejects.toMatchObject({ code: 'not_found' })
    const proof = await prove(call, removing(id), { key: other.key })
    await expect(removePasskey(call, { id, proof })).rejects.toMatchObject({ code: 'not_found' })
    await renamePasskey(person.call(), { id, name: 'Phone' })
    expect(await fixture.count('passkeys', sql`id = ${id} AND name = ${'Phone'}`)).toBe(1)
  })

  test('a passkey is removed only when the confirmation names that very passkey', async () => {
    const { person, key } = await withPasskey()
    const id = key.credentialIds[0] ?? ''
    const call = person.call()
    await expect(removePasskey(call, { id })).rejects.toMatchObject(refused)
    const proof = await prove(call, removing('another'), { key })
    await expect(removePasskey(call, { id, proof })).rejects.toMatchObject(refused)
    await removePasskey(call, { id, proof: await prove(call, removing(id), { key }) })
    expect(await fixture.count('passkeys', sql`principal_id = ${person.id}`)).toBe(0)
  })

  test('the last passkey stays where no other sign-in is possible', async () => {
    const { person, key } = await withPasskey()
    await platform.db.query(sql`UPDATE principals SET email = NULL WHERE id = ${person.id}`)
    const id = key.credentialIds[0] ?? ''
    const proof = await prove(person.call(), removing(id), { key })
    await expect(removePasskey(person.call(), { id, proof })).rejects.toMatchObject({ code: 'conflict' })
    expect(await fixture.count('passkeys', sql`id = ${id}`)).toBe(1)
  })

  test('the last passkey stays while approvals need one, even when both are removed at once', async () => {
    const { person, key } = await withPasskey()
    const second = newAuthenticator()
    await addPasskey(person, second, key)
    await setPasskeyRequirement(person.call(), { required: true })
    const removals = []
    for (const held of [key, second]) {
      const id = held.credentialIds[0] ?? ''
      removals.push({ id, proof: await prove(person.call(), removing(id), { key: held }) })
    }
    const outcomes = await Promise.allSettled(removals.map((removal) => removePasskey(person.call(), removal)))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await fixture.count('passkeys', sql`principal_id = ${person.id}`)).toBe(1)
  })

  test('requiring a passkey needs a passkey', async () => {
    const person = await newPerson()
    await expect(setPasskeyRequirement(person.call(), { required: true })).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('signing in with a passkey', () => {
  const start = () => startPasskeySignIn(platform, randomUUID())
  const finish = async (key: SoftwareAuthenticator, lies: Lies = {}) => {
    const { challenge_id: challengeId, options } = await start()
    return finishPasskeySignIn(platform, { challengeId, response: key.get(options, lies) })
  }

  test('the challenge names no person, and the signature identifies one', async () => {
    const { person, key } = await withPasskey()
    expect((await start()).options.allowCredentials).toEqual([])
    expect(await finish(key)).toBe(person.id)
  })

  const lies: [string, Lies][] = [
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['no user verification', { userVerified: false }],
    ['another challenge', { challenge: sha256Base64url('guessed') }],
    ['the user handle of another person', { userHandle: Buffer.from('ada').toString('base64url') }],
    ['a counter that went back', { counter: 1 }],
  ]
  test.each(lies)('a sign-in with %s is refused', async (_, lie) => {
    const { key } = await withPasskey()
    expect(await finish(key, lie)).toBeNull()
  })

  test('a sign-in is refused for an erased person, an unknown passkey, an expired challenge and one of a confirmation', async () => {
    const { person, key } = await withPasskey()
    const confirmation = await stepUpOptions(person.call(), approval)
    if (confirmation.way !== 'passkey') throw new Error('expected a challenge')
    const { challenge_id: challengeId, options } = confirmation
    expect(await finishPasskeySignIn(platform, { challengeId, response: key.get(options) })).toBeNull()

    const late = await start()
    fixture.clock.advance(120)
    const response = key.get(late.options)
    expect(await finishPasskeySignIn(platform, { challengeId: late.challenge_id, response })).toBeNull()

    await platform.db.query(sql`UPDATE principals SET erased = true WHERE id = ${person.id}`)
    expect(await finish(key)).toBeNull()
    await platform.db.query(sql`DELETE FROM passkeys WHERE principal_id = ${person.id}`)
    expect(await finish(key)).toBeNull()
  })

  test('the challenge of a sign-in confirms nothing', async () => {
    const { person, key } = await withPasskey()
    const { challenge_id, options } = await start()
    const proof = { challenge_id, response: key.get(options) }
    await expect(proveStepUp(person.call(), approval, proof)).rejects.toMatchObject(refused)
  })

  test('one challenge opens one session over HTTP, and all refusals read alike', async () => {
    const { person, key } = await withPasskey()
    const page = new Browser(platform)
    const { challenge_id, options } = (await page.post('/api/auth/passkey-options', {})).json as unknown as Awaited<
      ReturnType<typeof start>
    >
    const csrfToken = await page.csrfToken()
    const body = { csrfToken, challenge_id, response: key.get(options) }
    const headers = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36',
    }
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => page.post('/api/auth/callback/passkey', body, headers)),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401])
    const session = await findPortalSession(platform, new Headers({ cookie: page.cookieHeader() }))
    expect(session).toMatchObject({ principalId: person.id, method: 'passkey' })
    expect(dataOf(await page.query('security.sessions'))).toMatchObject([
      { device: { browser: 'Chrome', system: 'Linux' }, method: 'passkey', this_one: true },
    ])
    const stranger = newAuthenticator()
    stranger.create((await startRegistration((await newPerson()).call(), {})).options)
    const unknown = { ...body, response: stranger.get(options) }
    const again = await page.post('/api/auth/callback/passkey', unknown, headers)
    const [, used] = replies.toSorted((a, b) => a.status - b.status)
    expect([again.status, again.text]).toEqual([401, used?.text])
  })

  test('a page of another site is refused', async () => {
    for (const path of ['passkey-options', 'callback/passkey']) {
      const reply = await new Browser(platform).post(`/api/auth/${path}`, {}, { 'sec-fetch-site': 'cross-site' })
      expect(reply.status).toBe(403)
    }
  })
})

describe('the portal', () => {
  test('a passkey is added, listed and then required over tRPC', async () => {
    const person = await newPerson()
    await platform.db.query(sql`UPDATE principals SET email = 'ada@demo.test' WHERE id = ${person.id}`)
    const page = new Browser(platform)
    await page.signInAsDemo()
    expect(dataOf(await page.query('session.me'))).toMatchObject({
      passkeys: { available: true, count: 0, required: false },
    })
    const key = newAuthenticator()
    const started = dataOf<Awaited<ReturnType<typeof startRegistration>>>(
      await page.mutate('security.startRegistration', {}),
    )
    const { challenge_id } = started
    await page.mutate('security.register', { challenge_id, name: ' Laptop ', response: key.create(started.options) })
    expect(dataOf(await page.query('security.passkeys'))).toMatchObject({
      last_removable: true,
      passkeys: [{ id: key.credentialIds[0], name: 'Laptop', last_used_at: null, synced: false }],
    })
    const asked = await page.mutate('security.startRegistration', {})
    expect(refusalOf(asked)).toMatchObject({ httpStatus: 403, error: 'step_up_required', members: { way: 'passkey' } })
    expect(dataOf(await page.mutate('security.stepUpOptions', approval))).toMatchObject({ way: 'passkey' })
  })
})

describe('a person who has lost their passkeys', () => {
  test('a reset makes mailed links sufficient again and is notified whatever the preferences', async () => {
    const { person } = await withPasskey()
    await setPasskeyRequirement(person.call(), { required: true })
    await platform.db.query(
      sql`INSERT INTO notification_preferences (principal_id, email_enabled, rcs_enabled, updated_at)
       VALUES (${person.id}, false, false, ${platform.clock.now()})`,
    )
    await expect(proveStepUp(person.call(), approval, undefined)).rejects.toMatchObject(refused)
    const counts: number[] = []
    const reset = () =>
      resetPasskeys(person.call(), person.id, async (_tx, removed) => {
        counts.push(removed)
      })
    expect(await reset()).toBe(1)
    expect(await proveStepUp(person.call(), approval, undefined)).toMatchObject({ method: 'magic_link' })
    expect(await reset()).toBe(0)
    expect(counts).toEqual([1, 0])
    const mails = (await readMessages(platform, 200)).filter(({ to }) => to === person.email)
    expect(mails.filter(({ subject }) => subject === 'Your passkeys were removed')).toHaveLength(1)
  })
})
