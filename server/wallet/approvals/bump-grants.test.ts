import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertConsent } from '@/test/support/browser'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { withToken } from '@/test/support/wallet-token'
import { ServiceError } from '../../base/core/errors'
import { sql } from '../../base/core/sql'
import { approveLimitBump, declineLimitBump, saveLimits } from '../limits'
import { decideConsent } from '.'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const ABOVE_MINOR = 800
const CONSENTS = 3
const DAY_SECONDS = 86_400

interface Question {
  readonly person: Person
  readonly bumpId: string
  readonly consents: readonly string[]
}

/** A payment that was refused for its size, and consents that name the bump about it. */
async function ask(caps: Parameters<typeof saveLimits.verb>[1] = { single_txn_cap_minor: 500 }): Promise<Question> {
  const person = await money.person()
  await saveLimits.verb(money.wallet(person), { ...caps, currency: 'EUR' })
  const refusal: unknown = await money
    .settle(await money.mandate(person, { amountMinor: ABOVE_MINOR }))
    .catch((error: unknown) => error)
  if (!(refusal instanceof ServiceError)) return expect.fail('not refused')
  const bumpId = String(refusal.members['bump_id'])
  const consents = await Promise.all(
    Array.from({ length: CONSENTS }, async () => {
      const id = await insertConsent(money.platform, person, { lifetimeSeconds: 2 * DAY_SECONDS })
      await money.platform.db.query(sql`UPDATE consents SET limit_bump_id = ${bumpId} WHERE authorization_id = ${id}`)
      return id
    }),
  )
  return { person, bumpId, consents }
}

/** One decision: about the bump itself, or about one of the consents that name it. */
interface Decision {
  readonly about: 'bump' | number
  readonly decision: 'approve' | 'decline'
}

/** True when the decision stands, false when the opposite one was there before. */
async function decide({ person, bumpId, consents }: Question, { about, decision }: Decision): Promise<boolean> {
  const call = withToken(money.wallet(person))
  const verb = decision === 'approve' ? approveLimitBump.verb : declineLimitBump.verb
  const work =
    about === 'bump'
      ? verb(call, { bump_id: bumpId })
      : decideConsent.verb(call, { authorization_id: consents[about] ?? '', decision })
  return work.then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'conflict' })
      return false
    },
  )
}

const grantsOf = ({ person }: Question) =>
  money.count('limit_bumps', sql`principal_id = ${person.principalId} AND status = 'approved'`)

/** How many payments above the limit go through when more are tried than there are grants. */
async function lend({ person }: Question, tries: number): Promise<number> {
  const mandates = await Promise.all(
    Array.from({ length: tries }, () => money.mandate(person, { amountMinor: ABOVE_MINOR })),
  )
  const results = await Promise.allSettled(mandates.map((mandate) => money.settle(mandate)))
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'limit_exceeded' })
  }
  return results.filter(({ status }) => status === 'fulfilled').length
}

async function decideAll(question: Question, decisions: readonly Decision[]): Promise<Decision[]> {
  const stood = await Promise.all(decisions.map((one) => decide(question, one)))
  return decisions.filter((_, at) => stood[at])
}

describe('a bump that is decided directly and by consents that name it', () => {
  const one = { about: 'bump', decision: 'approve' } as const
  const consent = (about: number) => ({ about, decision: 'approve' }) as const
  test.each<[string, readonly Decision[], number]>([
    ['directly', [one], 1],
    ['by a consent', [consent(0)], 1],
    ['directly and then by a consent', [one, consent(0)], 1],
    ['by a consent and then directly', [consent(0), one], 1],
    ['by two consents', [consent(0), consent(1)], 2],
    ['by two consents, directly in between', [consent(0), one, consent(1)], 2],
    ['directly and then by two consents', [one, one, consent(0), consent(1)], 2],
    ['by three consents, each repeated', [0, 0, 1, 1, 2, 2].map(consent), 3],
    ['by a consent after it was declined', [{ about: 'bump', decision: 'decline' }, consent(0)], 1],
  ])('a bump that is approved %s has the grants that were given', async (_way, decisions, grants) => {
    const question = await ask()
    for (const decision of decisions) await decide(question, decision)
    expect(await grantsOf(question)).toBe(grants)
    expect(await lend(question, grants + 2)).toBe(grants)
  })

  test('a consent that is approved after the direct grant ran out brings a new one', async () => {
    const question = await ask()
    await decide(question, one)
    money.clock.advance(DAY_SECONDS)
    expect(await lend(question, 1)).toBe(0)
    await decide(question, consent(0))
    expect(await lend(question, 3)).toBe(1)
  })

  test('a second consent brings a grant for every limit that the payment exceeds', async () => {
    const question = await ask({ single_txn_cap_minor: 500, daily_cap_minor: 600 })
    for (const decision of [consent(0), consent(1)]) await decide(question, decision)
    expect(await grantsOf(question)).toBe(4)
    expect(await lend(question, 1)).toBe(1)
    await saveLimits.verb(money.wallet(question.person), {
      single_txn_cap_minor: 500,
      daily_cap_minor: 800 + 600,
      currency: 'EUR',
    })
    expect(await lend(question, 2)).toBe(1)
  })

  test('twenty approvals at once, by both ways, give one grant per consent and never another', async () => {
    const question = await ask()
    await decideAll(
      question,
      Array.from({ length: 20 }, (_, at) => (at % 4 === CONSENTS ? one : consent(at % 4))),
    )
    expect(await grantsOf(question)).toBe(CONSENTS)
    expect(await lend(question, 10)).toBe(CONSENTS)
    const used = await money.platform.db.query<{ used_by: string }>(
      sql`SELECT used_by FROM limit_bumps WHERE principal_id = ${question.person.principalId} AND used_by IS NOT NULL`,
    )
    expect(new Set(used.map(({ used_by: settlement }) => settlement)).size).toBe(CONSENTS)
  })

  test('one of any simultaneous decisions counts for each approval, and the grants are exactly those approved', async () => {
    const decision: fc.Arbitrary<Decision> = fc.record({
      about: fc.constantFrom<'bump' | number>('bump', 'bump', 0, 1, 2),
      decision: fc.constantFrom('approve', 'approve', 'decline'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(decision, { minLength: 2, maxLength: 20 }), async (decisions) => {
        const question = await ask()
        const stood = await decideAll(question, decisions)
        for (const about of new Set(decisions.map((any) => any.about))) {
          const kinds = new Set(stood.filter((any) => any.about === about).map((any) => any.decision))
          if (about === 'bump') expect(kinds.size).toBeLessThanOrEqual(1)
          else expect(kinds.size).toBe(1)
        }
        const approved = new Set(stood.filter((any) => any.decision === 'approve').map((any) => any.about))
        const byConsents = [...approved].filter((about) => about !== 'bump').length
        const grants = Math.max(byConsents, approved.has('bump') ? 1 : 0)
        expect(await grantsOf(question)).toBe(grants)
        expect(await lend(question, grants + 1)).toBe(grants)
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })
})
