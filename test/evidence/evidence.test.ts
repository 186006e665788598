/** The evidence about one payment over HTTP, and what the offline verifier makes of it. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { calculateJwkThumbprint, decodeJwt, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { sha256Base64url } from '@/server/base/protocol/encoding'
import { sealPack } from '@/server/surfaces/evidence/seal-pack'
import { readPaymentDetail } from '@/server/surfaces/portal'
import { run } from '@/verify/src/command-line'
import { verifyPack } from '@/verify/src/index'
import { exchange, must, newKey, newPrincipal, operate, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { withPortal } from '../support/wallet-token'
import { type Binding, type Bought, buyBook, dispute, readPack } from './purchases'

let app: App
let bought: Bought
let folder: string
beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
  bought = await buyBook(app, 'passkey')
  folder = mkdtempSync(path.join(tmpdir(), 'countersign-evidence-'))
})
afterAll(() => app.close())

const pathOf = (id: string) => `/wallet/payments/${id}/evidence`
const keysOf = async () => (await exchange(`${app.baseUrl}/oauth/jwks.json`)).json
const judge = (pack: object, options = {}) => verifyPack(JSON.stringify(pack), { now: app.clock.now(), ...options })

function save(name: string, content: unknown): string {
  const file = path.join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

describe('who gets the evidence', () => {
  test('an unknown payment and another person’s are both answered 404', async () => {
    const { principalId } = await newPrincipal(app)
    const other = await Person.signIn(app, principalId)
    const answers = await Promise.all([
      other.call('GET', pathOf(bought.paymentIntentId)),
      other.call('GET', pathOf('pi_unknown')),
    ])
    for (const { status, json } of answers) {
      expect([status, json]).toMatchObject([
        404,
        { error: 'not_found', error_description: 'There is no such payment.' },
      ])
    }
  })

  test('a token without audit:read gets none', async () => {
    const reader = await Person.signIn(app, bought.person.principalId, 'wallet:read wallet:write')
    const answer = await reader.call('GET', pathOf(bought.paymentIntentId))
    expect([answer.status, answer.json['error']]).toEqual([403, 'insufficient_scope'])
  })

  test('the operator gets the same, and nothing for an unknown payment', async () => {
    const pack = must(await operate<object>(app, 'GET', `/payments/${bought.paymentIntentId}/evidence`), 200)
    expect(Object.keys(pack)).toEqual(Object.keys(bought.pack))
    expect(await judge(pack, { jwks: await keysOf() })).toMatchObject({ verdict: 'proven' })
    expect((await operate(app, 'GET', '/payments/pi_unknown/evidence')).status).toBe(404)
  })

  test('D64 the operator gets none about a person who was erased', async () => {
    const { person, paymentIntentId } = await buyBook(app, 'rule')
    await app.platform.db.query(sql`UPDATE principals SET erased = true WHERE id = ${person.principalId}`)
    expect((await operate(app, 'GET', `/payments/${paymentIntentId}/evidence`)).status).toBe(404)
  })
})

describe('what is in the evidence', () => {
  test('the mandate is as it was issued, with every disclosure', async () => {
    const { pack } = bought
    expect(pack.mandate).toMatchObject({ kept: true })
    const text = pack.mandate.kept ? pack.mandate.sd_jwt : ''
    const [jwt = '', ...disclosures] = text.split('~').slice(0, -1)
    const { _sd: digests, jti } = decodeJwt<{ _sd: string[] }>(jwt)
    expect(disclosures.map((one) => sha256Base64url(one)).toSorted()).toEqual(digests.toSorted())
    expect(jti).toBe(pack.payment.mandate_id)
  })

  test('nothing in it is a token, an e-mail address or about other people', async () => {
    const [row] = await app.platform.db.query<{ email: string }>(
      sql`SELECT email FROM principals WHERE id = ${bought.person.principalId}`,
    )
    const text = JSON.stringify(bought.pack)
    expect(text).not.toContain(row?.email ?? 'none')
    expect(text).not.toMatch(/access_token|refresh_token|at\+jwt/)
    expect(text).not.toContain(bought.person.token)
    const people = bought.pack.audit.entries.map(({ entry }) => entry.event)
    expect(people).toEqual(['oid4ac.consent.approved', 'oid4ac.payment.succeeded'])
  })

  test('a payment of before mandates were kept says so, and is not proven', async () => {
    const { person, paymentIntentId, pack } = await buyBook(app, 'rule')
    await app.platform.db.query(
      sql`UPDATE settlements SET sealed_presentation = NULL WHERE id = ${pack.payment.settlement_id}`,
    )
    const old = await readPack(person, paymentIntentId)
    expect(old.mandate).toEqual({ kept: false, reason: 'The payment is of before signed mandates were kept.' })
    const { verdict, findings } = await judge(old)
    expect(verdict).toBe('incomplete')
    expect(findings.filter(({ status }) => status === 'missing')).toEqual([
      { part: 'mandate', status: 'missing', text: expect.stringContaining('was not kept') },
    ])
  })

  test('it is proven with retired keys too, which it brings', async () => {
    const before = bought.pack.keys.keys.map(({ kid }) => kid)
    for (const purpose of ['mandate', 'receipt', 'audit']) {
      const rotated = await operate(app, 'POST', '/signing-keys/rotate', { purpose })
      expect(rotated.status, rotated.text).toBe(200)
    }
    const pack = await readPack(bought.person, bought.paymentIntentId)
    expect(pack.keys.keys.length).toBeGreaterThan(before.length)
    expect(await judge(pack, { jwks: await keysOf() })).toMatchObject({ verdict: 'proven' })
    for (const key of pack.keys.keys) {
      expect(await calculateJwkThumbprint(key)).toBe(key['kid'])
      expect(key).not.toHaveProperty('d')
    }
  })

  test('a purchase that the rules allow and the person confirms by a mailed link appears as their approval', async () => {
    const { pack } = await buyBook(app, 'gate')
    expect(pack.approval).toEqual({
      kind: 'no_evidence',
      authorization_id: expect.any(String),
      asked_at: expect.any(String),
      decided_at: expect.any(String),
      decided_via: 'magic_link',
    })
    const [approved, paid] = pack.audit.entries.map(({ entry }) => entry)
    expect([approved?.event, paid?.event]).toEqual(['oid4ac.consent.approved', 'oid4ac.payment.succeeded'])
    expect(approved?.payload).toMatchObject({ what: 'purchase', means: 'magic_link' })
    const { verdict, summary, findings } = await judge(pack, { jwks: await keysOf() })
    expect([verdict, summary[1]]).toEqual(['proven', expect.stringContaining(', by a mailed link; the card')])
    expect(findings).toContainEqual({
      part: 'approval',
      status: 'stated',
      text: "By the server's records the person confirmed what their rules and limits allowed, by a link mailed to them; no key of theirs signed it.",
    })
  })

  test('a payment that the person let exceed a limit names that rule, and not that their limits allowed it', async () => {
    const { pack, person } = await buyBook(app, 'over_limit')
    expect(pack).toMatchObject({ version: 2, approval: { kind: 'rule', rule: 'approved_over_limit' } })
    const { verdict, summary, findings } = await judge(pack, { jwks: await keysOf() })
    expect([verdict, summary[1]]).toEqual([
      'proven',
      expect.stringMatching(/^Sandbox person let EUR 12\.00 to .+ exceed a limit; the card was charged once/),
    ])
    expect(findings).toContainEqual({
      part: 'approval',
      status: 'stated',
      text: "By the server's records the person let this payment exceed a limit; no key of theirs signed it.",
    })
    const session = withPortal(app, person.principalId)
    const detail = await readPaymentDetail(session, { id: pack.payment.payment_intent_id })
    expect(detail.rule).toMatchObject({ kind: 'approved_over_limit', authorization_id: null })
  })

  test('a pack of version 1 is still proven', async () => {
    const old = await sealPack(app.platform, { ...bought.pack, version: 1 as never })
    expect(await judge(old, { jwks: await keysOf() })).toMatchObject({ verdict: 'proven' })
  })

  test('the pack has the dispute as the audit chain records it', async () => {
    const disputed = await buyBook(app, 'magic_link')
    await dispute(app, disputed, 'pending')
    await dispute(app, disputed, 'lost')
    const pack = await readPack(disputed.person, disputed.paymentIntentId)
    expect(pack.disputes.map(({ status }) => status)).toEqual(['pending', 'lost'])
    const { verdict, summary } = await judge(pack)
    expect([verdict, summary[1]]).toEqual([
      'consistent',
      expect.stringMatching(/signed in by a mailed link; .*; disputed, lost\.$/),
    ])
  })
})

describe('a purchase that failed a hundred times before it was charged', () => {
  test('the pack has its charge, its dispute and the newest failures', async () => {
    const charged = await buyBook(app, 'token', { failures: 101 })
    await dispute(app, charged, 'pending')
    await dispute(app, charged, 'won')
    const pack = await readPack(charged.person, charged.paymentIntentId)
    const told = pack.audit.entries.map(({ entry }) => entry)
    expect([told.length, told[0]?.event]).toEqual([54, 'oid4ac.consent.approved'])
    expect(told.slice(-3).map(({ event }) => event)).toEqual([
      'oid4ac.payment.succeeded',
      'oid4ac.payment.disputed',
      'oid4ac.payment.disputed',
    ])
    const failed = told.slice(1, -3)
    expect(new Set(failed.map(({ event }) => event))).toEqual(new Set(['oid4ac.payment.failed']))
    expect(failed.at(-1)?.seq).toBe((told.at(-3)?.seq ?? 0) - 1)
    expect(pack.payment.status).toBe('disputed_won')
    expect(await judge(pack, { jwks: await keysOf() })).toMatchObject({ verdict: 'proven' })
  })
})

describe('what the agent’s own key signed is read as the server read it', () => {
  const bindings: readonly [string, Binding][] = [
    ['a type in capitals', { typ: 'KB+JWT' }],
    ['a type that is a whole media type', { typ: 'application/kb+jwt' }],
    ['a time with a fraction', { age: 0.5 }],
    ['a member that occurs twice', { first: '"iat":1' }],
    ['a number that is written in another way', { first: '"more":1.0e2' }],
    ['a time of almost five minutes before the mandate', { age: 290 }],
    ['a time of almost a minute ahead', { age: -55 }],
  ]
  test.each(bindings)('%s', async (_what, binding) => {
    const { pack } = await buyBook(app, 'rule', { binding })
    const { verdict, findings } = await judge(pack, { jwks: await keysOf() })
    expect(findings.filter(({ status }) => status === 'wrong' || status === 'missing')).toEqual([])
    expect(verdict).toBe('proven')
  })

  test('a signature of the wallet app too', async () => {
    const { pack } = await buyBook(app, 'wallet', { wallet: { typ: 'application/KB+jwt', age: 0.5 } })
    expect(await judge(pack, { jwks: await keysOf() })).toMatchObject({ verdict: 'proven' })
  })
})

describe('clocks of two processes of the server', () => {
  const askLate = async (seconds: number) => {
    const { person, paymentIntentId, pack } = await buyBook(app, 'token')
    await app.platform.db.query(
      sql`UPDATE consents SET created_at = created_at + make_interval(secs => ${seconds})
          WHERE mandate_id = ${pack.payment.mandate_id}`,
    )
    return judge(await readPack(person, paymentIntentId), { jwks: await keysOf() })
  }

  test('a difference of less than two minutes leaves the evidence whole', async () => {
    expect(await askLate(115)).toMatchObject({ verdict: 'proven' })
  })

  test('a greater one is no order of events', async () => {
    const { verdict, findings } = await askLate(130)
    expect(verdict).toBe('wrong')
    expect(findings).toContainEqual({
      part: 'approval',
      status: 'wrong',
      text: 'By the approval the person approved before the person was asked.',
    })
  })
})

describe.each(['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__proto__'])('the name %s', (name) => {
  test('names no member that packs have', async () => {
    const { verdict, findings } = await judge({ ...bought.pack, [name]: { note: 'refund agreed' } })
    expect(verdict).toBe('wrong')
    expect(findings).toContainEqual({
      part: 'pack',
      status: 'wrong',
      text: `The pack has a member that packs do not have: ${name}.`,
    })
  })

  test.each([
    ['kind of approval', (approval: object) => ({ ...approval, kind: name }), 'The approval is of an unknown kind.'],
    ['rule', () => ({ kind: 'rule', rule: name }), 'The rule is not one that there is.'],
  ])('names no %s', async (_what, change, text) => {
    const { findings } = await judge({ ...bought.pack, approval: change(bought.pack.approval) })
    expect(findings).toContainEqual({ part: 'approval', status: 'wrong', text })
  })
})

describe('the command', () => {
  test('the command says what is proven, with the reader’s keys or with those of the pack', async () => {
    const pack = save('pack.json', bought.pack)
    const own = await run([pack])
    expect([own.code, own.err]).toEqual([0, ''])
    expect(own.out).toMatch(/^Consistent in itself, not yet trusted\./)
    expect(own.out).toContain('The keys relied on came with the pack')
    const trusted = await run([pack, '--jwks', save('jwks.json', await keysOf())])
    expect(trusted.code).toBe(0)
    const [verdict, story] = trusted.out.split('\n')
    expect(verdict).toMatch(/^Proven\./)
    expect(story).toMatch(
      /^Sandbox person approved EUR 12\.00 to Tallow Books \(.+\) for 1 × The Tallow Trade at .+Z with a passkey; the card was charged once, at .+Z\.$/,
    )
  })

  test('the command exits with 1 for what was altered or left out, and says what', async () => {
    const altered = { ...bought.pack, payment: { ...bought.pack.payment, amount_minor: 1_300 } }
    const wrong = await run([save('altered.json', altered)])
    expect([wrong.code, wrong.out]).toEqual([1, expect.stringMatching(/^Wrong\./)])
    expect(wrong.out).toContain('payment: The member "payment" is not as the server sealed it')
    expect(wrong.out).toMatch(/The amount of the \w+ \(1200\) is not that of the payment \(1300\)/)
    const { receipt: _, ...rest } = bought.pack
    const partial = await run([save('partial.json', rest), '--json'])
    expect([partial.code, JSON.parse(partial.out)]).toMatchObject([1, { verdict: 'incomplete' }])
  })

  test('the command exits with 2 for what it does not understand', async () => {
    const pack = save('whole.json', bought.pack)
    const unreadable = [[save('text.json', 'nothing')], [save('list.json', '[]')], [save('object.json', { a: 1 })]]
    const newer = [save('newer.json', { ...bought.pack, version: 3 })]
    const misused = [[], [pack, pack], [pack, '--surprise'], [pack, '--witness', pack], [path.join(folder, 'missing')]]
    for (const argv of [...unreadable, newer, ...misused]) {
      const { code, out, err } = await run(argv)
      expect([argv.at(-1), code, out, err === '']).toEqual([argv.at(-1), 2, '', false])
    }
  })

  test('the command takes the statement of a witness who saw the checkpoint, and of no other', async () => {
    const { audit } = bought.pack
    const { tenant_id, seq, entry_hash } = decodeJwt<Record<string, unknown>>(audit.checkpoint?.jws ?? '')
    const witness = await newKey()
    const state = {
      log: app.baseUrl,
      tenant_id,
      seq,
      entry_hash,
      iat: 1,
      checkpoint_hash: sha256Base64url(audit.checkpoint?.jws ?? ''),
    }
    const check = async (claims: Record<string, unknown>) => {
      const jws = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA', typ: 'audit-witness+jwt' })
        .sign(witness.privateKey)
      const files = ['--witness', save('w.jws', jws), '--witness-key', save('w.jwk', witness.jwk)]
      return run([save('pack.json', bought.pack), ...files])
    }
    const seen = await check(state)
    expect([seen.code, seen.out]).toEqual([0, expect.stringContaining('A witness saw the log as it is in this pack')])
    expect((await check({ ...state, checkpoint_hash: 'other', entry_hash: 'other' })).code).toBe(1)
    expect((await check({ ...state, tenant_id: 'other' })).code).toBe(1)
    expect((await check({ ...state, seq: 1_000 })).out).toMatch(/^Not proven\./)
  })
})
