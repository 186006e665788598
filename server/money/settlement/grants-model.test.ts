import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertConsent } from '@/test/support/browser'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { withToken } from '@/test/support/wallet-token'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { sql } from '../../base/core/sql'
import type { MandateRow } from '../../oauth/mandates'
import { decideConsent } from '../../wallet/approvals'
import {
  approveLimitBump,
  declineLimitBump,
  type Exceeded,
  evaluateLimits,
  listLimitBumps,
  openBumpOfConsent,
  readAllowances,
  saveLimits,
} from '../../wallet/limits'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const SINGLE = 500
const DAILY = 1_000

/** The value up to which an approval lifts each limit. */
interface Named {
  readonly single_txn_cap?: number
  readonly daily_cap?: number
}

/** A permission as the model knows it: for one mandate, or for a purchase. */
interface Permission {
  readonly named: Named
  readonly forMandate: string | null
  readonly amount: number
  readonly item: string
  /** The position among the limit requests; 0 for a permission that is for one mandate. */
  readonly place: number
  used: boolean
}

interface Purchase {
  readonly amount: number
  readonly item: string
}

type Question = Purchase & Pick<Permission, 'named' | 'place'>

const fail = (what: string): never => expect.fail(what)

function expectPaid(answer: unknown): void {
  expect(answer).toMatchObject({ status: 200 })
}

function bumpOfRefusal(refusal: unknown): unknown {
  if (!(refusal instanceof ServiceError)) return fail('a payment passed that nobody allowed')
  expect(refusal.code).toBe('limit_exceeded')
  return refusal.members['bump_id']
}

function expectNamed(exceeds: readonly Exceeded[], named: Named): void {
  expect(Object.fromEntries(exceeds.map((one) => [one.kind, one.requested_minor]))).toEqual(named)
}

/** Whether a declined question was about the purchase, or a dearer one of the item, and about these limits. */
function isAnswer(declined: Question | undefined, { amount, item }: Purchase, named: Named): boolean {
  if (declined === undefined || declined.item !== item || declined.amount < amount) return false
  return Object.keys(named).every((kind) => kind in declined.named)
}

function expectAnswer(declined: Question | undefined, purchase: Purchase, named: Named): void {
  if (!isAnswer(declined, purchase, named)) fail('the request that is named neither waits nor answers')
}

/** One person with everything that was asked and approved, and a model of what may be spent. */
class Wallet {
  spent = 0
  readonly permissions: Permission[] = []
  readonly unpaid: (Purchase & { readonly mandate: MandateRow })[] = []
  readonly asked: (Purchase & { readonly id: string; readonly named: Named })[] = []
  readonly questions = new Map<string, Question>()
  readonly declined = new Map<unknown, Question>()

  constructor(readonly person: Person) {}

  call(): WalletCall {
    return withToken(money.wallet(this.person))
  }

  /** Returns the limits that a payment would exceed now, with the value that it needs of each. */
  exceeded(amount: number): Named {
    return {
      ...(amount > SINGLE && { single_txn_cap: amount }),
      ...(this.spent + amount > DAILY && { daily_cap: this.spent + amount }),
    }
  }

  /** Returns the permission that settling uses: that of the approval itself, else the oldest one for the purchase. */
  permissionFor({ amount, item, mandate }: Purchase & { readonly mandate: MandateRow }): Permission | undefined {
    const needs = Object.entries(this.exceeded(amount))
    const fits = ({ named }: Permission) => needs.every(([kind, need]) => (named[kind as keyof Named] ?? 0) >= need)
    const free = this.permissions.filter((one) => !one.used && fits(one)).toSorted((a, b) => a.place - b.place)
    return (
      free.find((one) => one.forMandate === mandate.id) ??
      free.find((one) => one.forMandate === null && one.item === item && one.amount >= amount)
    )
  }

  async mandate({ amount, item }: Purchase): Promise<MandateRow> {
    return money.mandate(this.person, { amountMinor: amount, lineItems: [{ sku: item, qty: 1 }] })
  }

  /** Settles, and compares the answer with the model. */
  async settle(at: number): Promise<void> {
    const payment = this.unpaid[at % Math.max(1, this.unpaid.length)]
    if (payment === undefined) return
    const isExceeded = Object.keys(this.exceeded(payment.amount)).length > 0
    const permission = isExceeded ? this.permissionFor(payment) : undefined
    const answer: unknown = await money.settle(payment.mandate).catch((error: unknown) => error)
    if (isExceeded && permission === undefined) return this.expectQuestion(answer, payment)
    expectPaid(answer)
    this.spent += payment.amount
    this.unpaid.splice(this.unpaid.indexOf(payment), 1)
    if (permission !== undefined) permission.used = true
  }

  async expectQuestion(refusal: unknown, payment: Purchase): Promise<void> {
    const bumpId = bumpOfRefusal(refusal)
    const waiting = (await listLimitBumps.verb(this.call())).limit_bumps
    const bump = waiting.find(({ id }) => id === bumpId)
    const named = this.exceeded(payment.amount)
    if (bump === undefined) return expectAnswer(this.declined.get(bumpId), payment, named)
    if (this.questions.has(bump.id)) return
    if ([...this.declined.values()].some((one) => isAnswer(one, payment, named)))
      fail('a declined purchase is asked again')
    expectNamed(bump.exceeds, named)
    this.questions.set(bump.id, { ...payment, named, place: this.questions.size })
  }

  async buy(purchase: Purchase): Promise<void> {
    this.unpaid.push({ ...purchase, mandate: await this.mandate(purchase) })
    await this.settle(this.unpaid.length - 1)
  }

  /** Asks for an approval, as a pushed authorization request above the limits does. */
  async ask({ amount, item }: Purchase): Promise<void> {
    const { platform } = money
    const now = money.clock.now()
    const subject = { principalId: this.person.principalId, agentClientId: this.person.agentId, currency: 'EUR', now }
    const allowances = await readAllowances(platform.db, subject)
    const evaluation = evaluateLimits({ ...allowances, grants: [] }, { amountMinor: amount, currency: 'EUR' })
    if (evaluation.outcome !== 'exceeded') return
    const lineItems = [{ sku: item, qty: 1 }]
    const id = await insertConsent(platform, this.person, { amountMinor: amount, lineItems })
    await platform.db.transaction(async (tx) => {
      const bump = await openBumpOfConsent(
        tx,
        { platform, now },
        {
          ...subject,
          consentId: id,
          merchantAudience: MERCHANT,
          amountMinor: amount,
          items: sql`${JSON.stringify(lineItems)}::jsonb`,
          exceeds: evaluation.exceeds,
          expiresAt: new Date(now.getTime() + 900_000),
        },
      )
      await tx.query(sql`UPDATE consents SET limit_bump_id = ${bump} WHERE authorization_id = ${id}`)
    })
    this.asked.push({ id, amount, item, named: this.exceeded(amount) })
  }

  async answerApproval(at: number, decision: 'approve' | 'decline'): Promise<void> {
    const [asked] = this.asked.splice(at % Math.max(1, this.asked.length), 1)
    if (asked === undefined) return
    await decideConsent.verb(this.call(), { authorization_id: asked.id, decision })
    if (decision === 'decline') return
    const mandate = await this.mandate(asked)
    await money.platform.db.query(
      sql`UPDATE consents SET mandate_id = ${mandate.id} WHERE authorization_id = ${asked.id}`,
    )
    this.unpaid.push({ ...asked, mandate })
    this.permissions.push({ ...asked, forMandate: mandate.id, place: 0, used: false })
  }

  async answerQuestion(at: number, decision: 'approve' | 'decline'): Promise<void> {
    const waiting = (await listLimitBumps.verb(this.call())).limit_bumps
    const bump = waiting[at % Math.max(1, waiting.length)]
    if (bump === undefined) return
    const asked = this.questions.get(bump.id)
    if (asked === undefined) return fail('a request waits that no settlement named')
    const verb = decision === 'approve' ? approveLimitBump.verb : declineLimitBump.verb
    await verb(this.call(), { bump_id: bump.id })
    if (decision === 'decline') this.declined.set(bump.id, asked)
    else this.permissions.push({ ...asked, forMandate: null, used: false })
  }
}

const purchase = fc.record({
  amount: fc.constantFrom(300, 400, 600, 900),
  item: fc.constantFrom('book', 'gift-card'),
})
const at = fc.nat({ max: 9 })
const decision = fc.constantFrom<'approve' | 'decline'>('approve', 'approve', 'decline')
type Step = (wallet: Wallet) => Promise<void>
const step: fc.Arbitrary<Step> = fc.oneof(
  purchase.map(
    (one): Step =>
      (wallet) =>
        wallet.buy(one),
  ),
  purchase.map(
    (one): Step =>
      (wallet) =>
        wallet.ask(one),
  ),
  at.map(
    (n): Step =>
      (wallet) =>
        wallet.settle(n),
  ),
  fc.tuple(at, decision).map(
    ([n, one]): Step =>
      (wallet) =>
        wallet.answerApproval(n, one),
  ),
  fc.tuple(at, decision).map(
    ([n, one]): Step =>
      (wallet) =>
        wallet.answerQuestion(n, one),
  ),
)

test('B12 whatever is bought, asked and answered in whatever order, a payment above limits passes only by an approval of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
      const person = await money.person()
      const limits = { single_txn_cap_minor: SINGLE, daily_cap_minor: DAILY, currency: 'EUR' }
      await saveLimits.verb(money.wallet(person), limits)
      const wallet = new Wallet(person)
      for (const take of steps) {
        money.clock.advance(1)
        await take(wallet)
      }
      const [counter] = await money.platform.db.query<{ spent_minor: number }>(
        sql`SELECT spent_minor FROM spend_counters WHERE principal_id = ${person.principalId}`,
      )
      expect(counter?.spent_minor ?? 0).toBe(wallet.spent)
    }),
    { numRuns: 25, endOnFailure: true },
  )
})
