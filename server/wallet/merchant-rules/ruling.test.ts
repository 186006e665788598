import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import { sql } from '../../base/core/sql'
import { rulingSql } from './ruling'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const verdicts = [null, 'allow', 'deny'] as const
type Verdict = (typeof verdicts)[number]

/** A person's own rules about one merchant. */
interface MerchantRuleState {
  readonly onlyListed: boolean
  /** The rules by agent; the key null is the rule for all of them. */
  readonly verdicts: ReadonlyMap<string | null, 'allow' | 'deny'>
}

/** Whether the rules refuse an agent: by a deny, for it or for all, or, with "only my list", by a missing allow. */
function isRefused({ onlyListed, verdicts: said }: MerchantRuleState, agent: string): boolean {
  const rules = [said.get(null), said.get(agent)]
  return rules.includes('deny') || (onlyListed && !rules.includes('allow'))
}

/** All rules about one agent at one merchant. */
interface Case {
  /** Whether the tenant requires an allow there; null where it has no gate. */
  readonly gate: boolean | null
  readonly tenant: Verdict
  readonly forAll: Verdict
  readonly forAgent: Verdict
  readonly onlyListed: boolean
}

const cases: readonly Case[] = [null, false, true].flatMap((gate) =>
  verdicts.flatMap((tenant) =>
    verdicts.flatMap((forAll) =>
      verdicts.flatMap((forAgent) =>
        [false, true].map((onlyListed) => ({ gate, tenant, forAll, forAgent, onlyListed })),
      ),
    ),
  ),
)

const audienceOf = ({ gate }: Case) => `https://gate-${gate ?? 'none'}.example`
const ELSEWHERE = 'https://elsewhere.example'

/** Returns the person's own rules in the form that TypeScript evaluates. */
function stateOf({ forAll, forAgent, onlyListed }: Case, agent: string): MerchantRuleState {
  const said: (readonly [string | null, Verdict])[] = [
    [null, forAll],
    [agent, forAgent],
  ]
  const rules = said.flatMap(([ruled, verdict]) => (verdict === null ? [] : [[ruled, verdict] as const]))
  return { onlyListed, verdicts: new Map(rules) }
}

const refusedByTenant = ({ gate, tenant }: Case) => tenant === 'deny' || (gate === true && tenant !== 'allow')

/**
 * Inserts a person with two agents per case; the second agent has the opposite rules, and other merchants have further
 * ones.
 */
async function insertCases(): Promise<{ agent: string; audience: string; fact: Case }[]> {
  const { db } = money.platform
  const now = money.clock.now()
  const rows = cases.map((fact, index) => ({ fact, index, audience: audienceOf(fact), agent: `agent-${index}` }))
  await db.query(sql`INSERT INTO principals (id, tenant_id, only_listed_merchants, created_at)
    SELECT 'person-' || index, ${money.tenantId}, only_listed, ${now}::timestamptz
      FROM ${sql.rows(
        'c',
        { index: 'int', only_listed: 'boolean' },
        rows.map(({ index, fact }) => ({ index, only_listed: fact.onlyListed })),
      )}`)
  for (const prefix of ['agent', 'other']) {
    await db.query(sql`INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks,
                                            metadata, created_at)
      SELECT ${prefix}::text || substr(id, 7), 'agent', tenant_id, id, 'Agent', '[]', '[]', '[]', '[]', '{}', ${now}::timestamptz
        FROM principals WHERE id LIKE 'person-%'`)
  }
  await db.query(sql`INSERT INTO merchant_gates (tenant_id, merchant_audience, allow_list_required, updated_at)
    VALUES (${money.tenantId}, 'https://gate-true.example', true, ${now}),
           (${money.tenantId}, 'https://gate-false.example', false, ${now}),
           (${money.tenantId}, ${ELSEWHERE}, true, ${now})`)
  const opposite = (verdict: Verdict) => (verdict === 'allow' ? 'deny' : 'allow')
  const tenantRules = rows.flatMap(({ fact, index, audience }) => [
    { client: `agent-${index}`, audience, verdict: fact.tenant },
    { client: `other-${index}`, audience, verdict: opposite(fact.tenant) },
    { client: `agent-${index}`, audience: ELSEWHERE, verdict: opposite(fact.tenant) },
  ])
  await db.query(sql`INSERT INTO merchant_rules (tenant_id, merchant_audience, client_id, verdict, updated_at)
    SELECT ${money.tenantId}, audience, client, verdict, ${now}::timestamptz
      FROM ${sql.rows('r', { client: 'text', audience: 'text', verdict: 'text' }, tenantRules)} WHERE verdict IS NOT NULL`)
  const ownRules = rows.flatMap(({ fact, index, audience }) => [
    { index, client: null, audience, verdict: fact.forAll },
    { index, client: `agent-${index}`, audience, verdict: fact.forAgent },
    { index, client: `other-${index}`, audience, verdict: opposite(fact.forAgent) },
    { index, client: null, audience: ELSEWHERE, verdict: opposite(fact.forAll) },
  ])
  await db.query(sql`INSERT INTO principal_merchant_rules (id, principal_id, merchant_audience, client_id, verdict, updated_at)
    SELECT gen_random_uuid()::text, 'person-' || index, audience, client, verdict, ${now}::timestamptz
      FROM ${sql.rows('r', { index: 'int', client: 'text', audience: 'text', verdict: 'text' }, ownRules)}
     WHERE verdict IS NOT NULL`)
  return rows
}

test('the statement refuses exactly where the tenant’s rules or the person’s own refuse in TypeScript', async () => {
  const rows = await insertCases()
  const ruling = rulingSql({ agent: sql`c`, principal: sql`p`, audience: sql`asked.audience` })
  const judged = await money.platform.db.query<{ agent: string; denied: boolean }>(
    sql`SELECT asked.agent, ${ruling.denied} AS denied
          FROM ${sql.rows(
            'asked',
            { agent: 'text', audience: 'text' },
            rows.map(({ agent, audience }) => ({ agent, audience })),
          )}
          JOIN clients c ON c.id = asked.agent JOIN principals p ON p.id = c.principal_id ${ruling.join}`,
  )
  const byStatement = new Map(judged.map(({ agent, denied }) => [agent, denied]))
  const byRules = new Map(
    rows.map(({ agent, fact }) => [agent, refusedByTenant(fact) || isRefused(stateOf(fact, agent), agent)]),
  )
  expect(byStatement.size).toBe(162)
  expect(byStatement).toEqual(byRules)
})
