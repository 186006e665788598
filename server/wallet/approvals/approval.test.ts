import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertConsent } from '@/test/support/browser'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { createAuthenticator, type SoftwareAuthenticator } from '@/test/support/software-authenticator'
import { withToken } from '@/test/support/wallet-token'
import type { HeldToken, WalletCall } from '../../base/core/call'
import type { Platform } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { registerPasskey, removePasskey, startRegistration, stepUpOptions } from '../../identity/passkeys'
import type { StepUpAction, StepUpProof } from '../../identity/passkeys/contract'
import type { ConsentDecision } from './contract'
import { approvalSubject, displayDigest, displayOf } from './display'
import { decideConsent } from './index'

let fixture: MoneyFixture
let platform: Platform

const ITEMS = [
  { sku: 'left-hand', title: 'The Left Hand', qty: 1, unit_price_minor: 900 },
  { sku: 'post', qty: 1 },
]
const SHOWN = {
  merchant_origin: MERCHANT,
  amount_minor: 1_200,
  currency: 'EUR',
  items: [
    { sku: 'left-hand', title: 'The Left Hand', qty: 1, unit_price_minor: 900 },
    { sku: 'post', title: null, qty: 1, unit_price_minor: null },
  ],
}

beforeAll(async () => {
  fixture = await openMoneyFixture()
  platform = {
    ...fixture.platform,
    rateLimits: { take: () => Promise.resolve({ allowed: true, retryAfterSeconds: 0 }) },
  }
})
afterAll(() => fixture.close())

interface Ready {
  readonly person: Person
  readonly key: SoftwareAuthenticator
  readonly call: () => WalletCall
}

async function newPerson({ counts = true } = {}): Promise<Ready> {
  const { hostname, origin } = new URL(platform.config.baseUrl)
  const person = await fixture.person()
  const key = createAuthenticator({ rpId: hostname, origin, counts })
  return { person, key, call: () => fixture.wallet(person, platform) }
}

async function addPasskey({ call, key }: Ready): Promise<string> {
  const proof = await prove(call(), { purpose: 'passkey.add', subject: {} }, key)
  const { challenge_id, options } = await startRegistration(call(), { proof })
  return (await registerPasskey(call(), { challenge_id, name: 'Laptop', response: key.create(options) })).id
}

async function withPasskey(options?: { readonly counts: boolean }): Promise<Ready> {
  const ready = await newPerson(options)
  await addPasskey(ready)
  return ready
}

async function prove(call: WalletCall, action: StepUpAction, key: SoftwareAuthenticator) {
  const options = await stepUpOptions(call, action)
  if (options.way !== 'passkey') return undefined
  return { challenge_id: options.challenge_id, response: key.get(options.options) } as StepUpProof
}

const ask = ({ person }: Ready) => insertConsent(fixture.platform, person, { lineItems: ITEMS })
const proofFor = (ready: Ready, id: string, shown: Record<string, unknown> = SHOWN) =>
  prove(ready.call(), { purpose: 'consent.approve', subject: approvalSubject(id, shown) }, ready.key)

/** Approves in the portal on a page that shows `shown`. */
async function approve(ready: Ready, id: string, shown: ConsentDecision['shown'] = SHOWN) {
  const proof = await proofFor(ready, id, { ...shown })
  return decideConsent.verb(ready.call(), { authorization_id: id, decision: 'approve', shown, proof })
}

const statusOf = async (id: string) =>
  (await platform.db.query<{ status: string }>(sql`SELECT status FROM consents WHERE authorization_id = ${id}`))[0]
    ?.status
const evidenceOf = async (id: string) =>
  (
    await platform.db.query<Record<string, unknown>>(
      sql`SELECT * FROM approval_evidence WHERE authorization_id = ${id}`,
    )
  )[0] ?? null
const auditOf = async ({ person }: Ready) =>
  (
    await platform.db.query<{ event: string; payload: string }>(
      sql`SELECT event, payload FROM audit_entries WHERE principal_id = ${person.principalId} ORDER BY seq`,
    )
  )
    .filter(({ event }) => event === 'oid4ac.consent.approved')
    .map(({ payload }) => JSON.parse(payload) as Record<string, unknown>)

const refusedFor = (code: string, more: Record<string, unknown> = {}) => expect.objectContaining({ code, ...more })

describe('an approval in the portal', () => {
  test('an approval with a passkey stores what was shown and the signature for it, and enters the audit chain', async () => {
    const ready = await withPasskey()
    const id = await ask(ready)
    expect(await approve(ready, id)).toEqual({ authorization_id: id, status: 'approved' })
    const digest = displayDigest(SHOWN)
    expect(await evidenceOf(id)).toMatchObject({
      principal_id: ready.person.principalId,
      method: 'passkey',
      passkey_id: ready.key.credentialIds[0],
      display_digest: digest,
      display: SHOWN,
      signature: expect.stringMatching(/^[\w-]+$/),
    })
    expect(await auditOf(ready)).toEqual([
      {
        what: 'purchase',
        from: 'pending',
        to: 'approved',
        means: 'passkey',
        authorization_id: id,
        agent_client_id: ready.person.agentId,
        display_digest: digest,
        passkey_id: ready.key.credentialIds[0],
        session: expect.stringMatching(/^[\da-f]{64}$/),
      },
    ])
  })

  test('an approval of a person without a passkey stores how the session was opened', async () => {
    const ready = await newPerson()
    const id = await ask(ready)
    await approve(ready, id)
    expect(await evidenceOf(id)).toMatchObject({ method: 'magic_link', passkey_id: null, signature: null })
    expect(await auditOf(ready)).toMatchObject([{ means: 'magic_link', passkey_id: null }])
  })

  test('an approval of wallet access is for the scope that was shown', async () => {
    const ready = await withPasskey()
    const id = await ask(ready)
    await platform.db.query(
      sql`UPDATE consents SET kind = 'wallet', merchant_audience = NULL, amount_minor = NULL, currency = NULL, line_items = NULL,
              scope = '["wallet:read", "wallet:write"]' WHERE authorization_id = ${id}`,
    )
    await expect(approve(ready, id, { scope: 'wallet:read' })).rejects.toThrow(
      'The request has changed since you opened it',
    )
    await approve(ready, id, { scope: 'wallet:read wallet:write' })
    expect(await evidenceOf(id)).toMatchObject({ method: 'passkey', display: { scope: 'wallet:read wallet:write' } })
  })

  test('an approval needs the passkey of a person who has one', async () => {
    const ready = await withPasskey()
    const id = await ask(ready)
    const press = { authorization_id: id, decision: 'approve', shown: SHOWN } as const
    await expect(decideConsent.verb(ready.call(), press)).rejects.toEqual(
      refusedFor('step_up_required', { members: { way: 'passkey' } }),
    )
    expect(await statusOf(id)).toBe('pending')
  })

  test('an approval needs a session that was opened just now where there is no passkey', async () => {
    const ready = await newPerson()
    const id = await ask(ready)
    const call = ready.call()
    const session = { id: 's', method: 'magic_link', authenticatedAt: new Date(call.now.getTime() - 900_000) } as const
    const stale = { ...call, actor: { ...call.actor, session } }
    await expect(
      decideConsent.verb(stale, { authorization_id: id, decision: 'approve', shown: SHOWN }),
    ).rejects.toEqual(refusedFor('step_up_required', { members: { way: 'sign_in' } }))
    expect([await statusOf(id), await evidenceOf(id)]).toEqual(['pending', null])
  })

  test('an approval that is signed for something else is refused', async () => {
    const ready = await withPasskey()
    const [id, other] = [await ask(ready), await ask(ready)]
    const proofs = [await proofFor(ready, other), await proofFor(ready, id, { ...SHOWN, amount_minor: 1 })]
    for (const proof of proofs) {
      const press = decideConsent.verb(ready.call(), { authorization_id: id, decision: 'approve', shown: SHOWN, proof })
      await expect(press).rejects.toEqual(refusedFor('step_up_required'))
    }
    expect(await statusOf(id)).toBe('pending')
  })
})

describe('a page that shows something else than the request', () => {
  const [book, post] = SHOWN.items
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['another amount', { ...SHOWN, amount_minor: 1_199 }],
    ['another currency', { ...SHOWN, currency: 'USD' }],
    ['another payee', { ...SHOWN, merchant_origin: 'https://tallow.example/other' }],
    ['no items', { ...SHOWN, items: [] }],
    ['items in another order', { ...SHOWN, items: [post, book] }],
    ['another title', { ...SHOWN, items: [{ ...book, title: 'The Right Hand' }, post] }],
    ['another quantity', { ...SHOWN, items: [{ ...book, qty: 2 }, post] }],
    ['another price', { ...SHOWN, items: [{ ...book, unit_price_minor: 800 }, post] }],
    ['a price where none is', { ...SHOWN, items: [book, { ...post, unit_price_minor: 300 }] }],
    ['wallet access', { scope: 'oid4ac:payment' }],
  ])('a page that shows something else approves nothing: %s', async (_what, shown) => {
    const ready = await newPerson()
    const id = await ask(ready)
    const press = { authorization_id: id, decision: 'approve', shown: shown as ConsentDecision['shown'] } as const
    await expect(decideConsent.verb(ready.call(), press)).rejects.toEqual(
      refusedFor('conflict', {
        description: 'The request has changed since you opened it. Review it again.',
      }),
    )
    expect([await statusOf(id), await evidenceOf(id)]).toEqual(['pending', null])
  })

  test('a request that changed in the database after it was shown is not approved, signed or not', async () => {
    const ready = await withPasskey()
    const id = await ask(ready)
    const proof = await proofFor(ready, id)
    await platform.db.query(sql`UPDATE consents SET amount_minor = 9900 WHERE authorization_id = ${id}`)
    await expect(
      decideConsent.verb(ready.call(), { authorization_id: id, decision: 'approve', shown: SHOWN, proof }),
    ).rejects.toEqual(refusedFor('conflict'))
    const lie = { ...SHOWN, amount_minor: 9_900 }
    await expect(
      decideConsent.verb(ready.call(), { authorization_id: id, decision: 'approve', shown: lie, proof }),
    ).rejects.toEqual(refusedFor('step_up_required'))
    expect(await statusOf(id)).toBe('pending')
  })
})

describe('a request', () => {
  test('a request is approved once, however often and from however many tabs', async () => {
    // An authenticator with a signature counter is refused when its signatures arrive out of order.
    const ready = await withPasskey({ counts: false })
    const id = await ask(ready)
    const proofs = [await proofFor(ready, id), await proofFor(ready, id), await proofFor(ready, id)]
    const presses = proofs.map((proof) =>
      decideConsent.verb(ready.call(), { authorization_id: id, decision: 'approve', shown: SHOWN, proof }),
    )
    const approved = { authorization_id: id, status: 'approved' }
    expect(await Promise.all(presses)).toEqual([approved, approved, approved])
    const again = { authorization_id: id, decision: 'approve', shown: SHOWN } as const
    expect(await decideConsent.verb(ready.call(), again)).toEqual({ authorization_id: id, status: 'approved' })
    expect(await auditOf(ready)).toHaveLength(1)
    await expect(decideConsent.verb(ready.call(), { authorization_id: id, decision: 'decline' })).rejects.toEqual(
      refusedFor('conflict', { description: 'The request was already approved.' }),
    )
  })

  test('a request is declined with one press, without a passkey, and leaves no evidence', async () => {
    const ready = await withPasskey()
    const id = await ask(ready)
    expect(await decideConsent.verb(ready.call(), { authorization_id: id, decision: 'decline' })).toMatchObject({
      status: 'declined',
    })
    await expect(approve(ready, id)).rejects.toEqual(refusedFor('conflict'))
    expect([await evidenceOf(id), await auditOf(ready)]).toEqual([null, []])
  })

  test('a request that is unknown, another person’s, expired or named by its handle is not found', async () => {
    const [ready, other] = [await newPerson(), await newPerson()]
    const id = await ask(ready)
    const expired = await insertConsent(fixture.platform, ready.person, { lineItems: ITEMS, lifetimeSeconds: 0 })
    for (const [one, name] of [
      [ready, 'unknown'],
      [other, id],
      [ready, expired],
      [ready, `handle-${id}`],
    ] as const) {
      const press = { authorization_id: name, decision: 'approve', shown: SHOWN } as const
      await expect(decideConsent.verb(one.call(), press)).rejects.toEqual(
        refusedFor('not_found', { description: 'There is no such request waiting.' }),
      )
    }
  })
})

describe('a wallet token', () => {
  const tokenCall = ({ call }: Ready, held: Partial<HeldToken> = {}): WalletCall => withToken(call(), held)

  test('a wallet token approves without evidence, and enters the audit chain', async () => {
    const ready = await withPasskey()
    const id = await ask(ready)
    const answer = await decideConsent.verb(tokenCall(ready), { authorization_id: id, decision: 'approve' })
    expect(answer).toEqual({ authorization_id: id, status: 'approved' })
    expect(await evidenceOf(id)).toBeNull()
    const told = { authorization_id: id, means: 'token', display_digest: null, passkey_id: null }
    expect(await auditOf(ready)).toMatchObject([told])
  })

  test('B8 a wallet token that a mailed link confirmed declines, and does not approve, where there is a passkey', async () => {
    const ready = await withPasskey()
    const [id, other] = [await ask(ready), await ask(ready)]
    const mailed = tokenCall(ready, { acr: 'mail' })
    await expect(decideConsent.verb(mailed, { authorization_id: id, decision: 'approve' })).rejects.toEqual(
      refusedFor('insufficient_user_authentication', { status: 401 }),
    )
    expect(await statusOf(id)).toBe('pending')
    const declined = await decideConsent.verb(mailed, { authorization_id: other, decision: 'decline' })
    expect(declined).toMatchObject({ status: 'declined' })
  })
})

describe('settling what was approved', () => {
  let approved: { ready: Ready; id: string; mandateId: string; settle: () => Promise<number> }

  async function approvedMandate(ready: Ready) {
    const id = await ask(ready)
    await approve(ready, id)
    const mandate = await fixture.mandate(ready.person, { amountMinor: 1_200 })
    await platform.db.query(sql`UPDATE consents SET mandate_id = ${mandate.id} WHERE authorization_id = ${id}`)
    await platform.db.query(
      sql`UPDATE token_families SET authorization_details = ${JSON.stringify([{ type: 'oid4ac_mandate', line_items: ITEMS }])}::jsonb WHERE id = ${mandate.family_id}`,
    )
    const settle = async () => {
      const [row = mandate] = await platform.db.query<typeof mandate>(
        sql`SELECT * FROM mandates WHERE id = ${mandate.id}`,
      )
      return (await fixture.settle(row)).status
    }
    return { ready, id, mandateId: mandate.id, settle }
  }

  test.each<[string, () => Promise<Ready>]>([
    ['with a passkey', withPasskey],
    ['in a fresh session', newPerson],
  ])('settling a purchase that was approved %s moves the money', async (_how, person) => {
    expect(await (await approvedMandate(await person())).settle()).toBe(200)
  })

  describe('after the database was changed in one place', () => {
    beforeEach(async () => {
      approved = await approvedMandate(await withPasskey())
    })

    test.each<[string, string, string]>([
      ['consents', 'amount_minor', '1300'],
      ['consents', 'currency', `'USD'`],
      ['consents', 'merchant_audience', `'https://tallow.example/other'`],
      ['consents', 'line_items', `'[]'`],
      ['consents', 'line_items', `jsonb_set(line_items, '{0,qty}', '2')`],
      ['consents', 'status', `'declined'`],
      ['consents', 'decided_via', `'token'`],
      ['consents', 'decided_at', `decided_at + interval '1 second'`],
      ['mandates', 'amount_minor', '1300'],
      ['mandates', 'currency', `'USD'`],
      ['mandates', 'merchant_audience', `'https://tallow.example/other'`],
      ['token_families', 'authorization_details', `'[]'`],
      [
        'token_families',
        'authorization_details',
        `jsonb_set(authorization_details, '{0,line_items,0,unit_price_minor}', '1200')`,
      ],
      ['approval_evidence', 'display_digest', `translate(display_digest, 'ABCDE', 'BCDEA')`],
      ['approval_evidence', 'display', `jsonb_set(display, '{amount_minor}', '1300')`],
      ['approval_evidence', 'display', `jsonb_set(display, '{merchant_origin}', '"https://evil.example"')`],
      ['approval_evidence', 'passkey_id', `'another'`],
      ['approval_evidence', 'nonce', `nonce || 'A'`],
      ['approval_evidence', 'challenge', `'A' || substr(challenge, 3) || 'A'`],
      ['approval_evidence', 'authenticator_data', `overlay(authenticator_data placing 'AAAA' from 1)`],
      ['approval_evidence', 'client_data_json', `overlay(client_data_json placing 'AAAA' from 5)`],
      ['approval_evidence', 'signature', `overlay(signature placing 'AAAAAAAA' from 12)`],
      ['approval_evidence', 'public_key', `overlay(public_key placing 'AAAA' from 20)`],
      ['approval_evidence', 'created_at', `created_at - interval '1 second'`],
    ])('nothing is reserved after the database was changed: %s.%s = %s', async (table, column, value) => {
      const key = { consents: 'authorization_id', approval_evidence: 'authorization_id' }[table] ?? 'id'
      const id = { mandates: approved.mandateId, consents: approved.id, approval_evidence: approved.id }[table]
      const where = id === undefined ? `mandate_id = '${approved.mandateId}'` : `${key} = '${id}'`
      const changed = await platform.db.query(
        sql`UPDATE ${sql.raw(table)} SET ${sql.raw(column)} = ${sql.raw(value)} WHERE ${sql.raw(where)} AND ${sql.raw(column)} IS DISTINCT FROM ${sql.raw(value)} RETURNING 1`,
      )
      expect(changed).toHaveLength(1)
      await expect(approved.settle()).rejects.toEqual(
        refusedFor('forbidden', { status: 403, description: 'The approval was given for another amount or payee.' }),
      )
      expect(await fixture.count('settlements', sql`mandate_id = ${approved.mandateId}`)).toBe(0)
      expect(await fixture.count('spend_counters', sql`principal_id = ${approved.ready.person.principalId}`)).toBe(0)
    })

    test.each([
      ['method', `'magic_link'`],
      ['passkey_id', 'NULL'],
      ['nonce', 'NULL'],
      ['challenge', 'NULL'],
      ['authenticator_data', 'NULL'],
      ['client_data_json', 'NULL'],
      ['signature', 'NULL'],
      ['public_key', 'NULL'],
    ])('the database itself refuses evidence of a passkey with %s = %s', async (column, value) => {
      const change = platform.db.query(
        sql`UPDATE approval_evidence SET ${sql.raw(column)} = ${sql.raw(value)} WHERE authorization_id = '${sql.raw(approved.id)}'`,
      )
      await expect(change).rejects.toThrow()
    })

    test('nothing is reserved once the evidence is gone, or names another person', async () => {
      const { id, ready } = approved
      const other = await fixture.person()
      const nameInEvidence = (principalId: string) =>
        platform.db.query(
          sql`UPDATE approval_evidence SET principal_id = ${principalId} WHERE authorization_id = ${id}`,
        )
      await nameInEvidence(other.principalId)
      await expect(approved.settle()).rejects.toEqual(refusedFor('forbidden'))
      await nameInEvidence(ready.person.principalId)
      expect(await approved.settle()).toBe(200)
      const again = await approvedMandate(ready)
      await platform.db.query(sql`DELETE FROM approval_evidence WHERE authorization_id = ${again.id}`)
      await expect(again.settle()).rejects.toEqual(refusedFor('forbidden'))
    })

    test('nothing is reserved with a signature of a passkey that was removed', async () => {
      const { ready } = approved
      const passkeyId = ready.key.credentialIds[0] ?? ''
      const proof = await prove(
        ready.call(),
        { purpose: 'passkey.remove', subject: { passkey_id: passkeyId } },
        ready.key,
      )
      await removePasskey(ready.call(), { id: passkeyId, proof })
      await expect(approved.settle()).rejects.toEqual(refusedFor('forbidden'))
    })
  })

  test('a mandate of an approval by token needs no evidence', async () => {
    const ready = await newPerson()
    const id = await ask(ready)
    await decideConsent.verb(withToken(ready.call()), { authorization_id: id, decision: 'approve' })
    const mandate = await fixture.mandate(ready.person, { amountMinor: 1_200 })
    await platform.db.query(sql`UPDATE consents SET mandate_id = ${mandate.id} WHERE authorization_id = ${id}`)
    expect((await fixture.settle(mandate)).status).toBe(200)
  })
})

test('the audit entries of approvals have no personal data', async () => {
  const ready = await newPerson()
  await approve(ready, await ask(ready))
  const rows = await platform.db.query<{ payload: string }>(
    sql`SELECT payload FROM audit_entries WHERE event = 'oid4ac.consent.approved'`,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { payload } of rows) {
    const members = Object.keys(JSON.parse(payload) as object).toSorted()
    expect(members.filter((member) => member !== 'session')).toEqual([
      'agent_client_id',
      'authorization_id',
      'display_digest',
      'from',
      'means',
      'passkey_id',
      'to',
      'what',
    ])
  }
})

test('the display of a request has each member of every item, present or not', () => {
  const purchase = { merchant_audience: MERCHANT, amount_minor: 1_200, currency: 'EUR', line_items: ITEMS }
  const asked = { ...purchase, exceeds: null, scope: [] }
  expect(displayOf(asked)).toEqual(SHOWN)
  expect(displayOf({ ...asked, line_items: null })).toEqual({ ...SHOWN, items: [] })
})
