/** Portal-2, 1.4 and 6: agents of one name are told apart, and a person may give a name of their own. */
import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { migrate, migrationsDirectory } from '@/server/base/platform/database/migrate'
import { readMessages } from '@/server/shared/notifications'
import type { AgentSummary, AgentView, ConsentView } from '@/server/surfaces/portal'
import { withApp } from '../oauth/setup'
import { Agent, newKey, Person } from '../support/actors'
import type { App } from '../support/app'
import { Browser, dataOf, refusalOf } from '../support/browser'
import { openBefore } from '../support/upgrade'

let app: App
withApp((started) => {
  app = started
})

/** The demo person's browser, and their id. */
async function atThePortal() {
  const page = new Browser(app.platform)
  await page.signInAsDemo()
  const [demo] = await app.platform.db.query<{ principal_id: string }>(
    sql`SELECT principal_id FROM portal_sessions ORDER BY created_at DESC LIMIT 1`,
  )
  const principalId = demo?.principal_id ?? ''
  const list = async () => dataOf<{ agents: AgentSummary[] }>(await page.query('agents.list')).agents
  const labelOf = async ({ clientId }: Agent) =>
    (await list()).find(({ client_id: id }) => id === clientId)?.label ?? 'not listed'
  const one = async ({ clientId }: Agent) => dataOf<AgentView>(await page.query('agents.one', { client_id: clientId }))
  const rename = ({ clientId }: Agent, name: string) => page.mutate('agents.rename', { client_id: clientId, name })
  return { page, principalId, labelOf, one, rename }
}

const tailOf = async ({ key }: Agent) => (await calculateJwkThumbprint(key.jwk)).slice(-4)

test('two active agents of one name have the tail of their keys in lists, and always on their own pages', async () => {
  const { page, principalId, labelOf, one } = await atThePortal()
  const first = await Agent.register(app, principalId, { client_name: 'Twin' })
  const tail = await tailOf(first)
  expect(await labelOf(first)).toBe('Twin')
  expect(await one(first)).toMatchObject({ label: `Twin …${tail}`, own_name: 'Twin', given_name: null })

  const second = await Agent.register(app, principalId, { client_name: 'twin' })
  expect([await labelOf(first), await labelOf(second)]).toEqual([`Twin …${tail}`, `twin …${await tailOf(second)}`])
  expect((await page.mutate('agents.revoke', { client_id: second.clientId })).status).toBe(200)
  expect([await labelOf(first), await labelOf(second)]).toEqual(['Twin', 'twin'])
})

test.each([
  ['two blanks', 'Look  alike'],
  ['a no-break space', 'Look\u00a0alike'],
  ['blanks around it', ' Look alike\u3000'],
  ['a Braille pattern without dots', 'Look\u2800alike'],
  ['a non-joiner', 'Look ali\u200cke'],
  ['full-width letters', 'Ｌook alike'],
])('a name that differs from another in %s alone has the tail, and so has the other', async (_, name) => {
  const { page, principalId, labelOf } = await atThePortal()
  const first = await Agent.register(app, principalId, { client_name: 'Look alike' })
  const second = await Agent.register(app, principalId, { client_name: name })
  expect(await labelOf(first)).toBe(`Look alike …${await tailOf(first)}`)
  expect(await labelOf(second)).toBe(`${name} …${await tailOf(second)}`)
  for (const { clientId } of [first, second]) await page.mutate('agents.revoke', { client_id: clientId })
})

test('the HTTP API tells agents apart by their ids, and calls each what the person calls it', async () => {
  const { principalId, rename } = await atThePortal()
  const agents = [
    await Agent.register(app, principalId, { client_name: 'Double' }),
    await Agent.register(app, principalId, { client_name: 'Double' }),
  ] as const
  const person = await Person.signIn(app, principalId)
  const labelOf = async ({ clientId }: Agent) => (await person.call('GET', `/wallet/agents/${clientId}`)).json['label']
  expect([await labelOf(agents[0]), await labelOf(agents[1])]).toEqual(['Double', 'Double'])
  expect((await rename(agents[0], 'Shopping')).status).toBe(200)
  expect([await labelOf(agents[0]), await labelOf(agents[1])]).toEqual(['Shopping', 'Double'])
})

test('the approve page always shows the tail, and names the agent as the person does; so does the mail', async () => {
  const { page, principalId, rename } = await atThePortal()
  const agent = await Agent.register(app, principalId, { client_name: 'Registered' })
  expect((await rename(agent, 'My buyer')).status).toBe(200)
  expect((await agent.push((await agent.purchase({ amount_minor: 700 })).form)).status).toBe(201)
  const { pending } = dataOf<{ pending: ConsentView[] }>(await page.query('approvals.pending'))
  const waiting = pending.find((one) => one.agent.client_id === agent.clientId)
  expect(waiting?.agent.label).toBe('My buyer')
  const shown = dataOf<ConsentView>(await page.query('approvals.one', { id: waiting?.authorization_id }))
  expect(shown.agent.label).toBe(`My buyer …${await tailOf(agent)}`)
  const mails = await readMessages(app.platform, 200)
  expect(mails.map(({ text }) => text).join('\n')).toContain('Agent: “My buyer”')
})

test('a name of the person’s own is shown until it is emptied, and is noted in the audit chain without itself', async () => {
  const { principalId, labelOf, one, rename } = await atThePortal()
  const agent = await Agent.register(app, principalId, { client_name: 'Its own name' })
  expect((await rename(agent, '  Groceries  ')).status).toBe(200)
  expect(await labelOf(agent)).toBe('Groceries')
  expect(await one(agent)).toMatchObject({ own_name: 'Its own name', given_name: 'Groceries' })
  await rename(agent, 'Groceries')
  await rename(agent, '')
  expect(await labelOf(agent)).toBe('Its own name')
  const entries = await app.platform.db.query<{ payload: unknown }>(
    sql`SELECT payload::jsonb AS payload FROM audit_entries
      WHERE event = 'oid4ac.security.changed' AND payload::jsonb ->> 'agent_client_id' = ${agent.clientId} ORDER BY seq`,
  )
  const about = { what: 'agent_name', agent_client_id: agent.clientId, passkey_id: null }
  expect(entries.map(({ payload }) => payload)).toMatchObject([
    { ...about, from: 'own', to: 'given' },
    { ...about, from: 'given', to: 'own' },
  ])
  expect(JSON.stringify(entries)).not.toContain('Groceries')
})

test.each([
  ['a line break', 'two\nlines'],
  ['a control that turns the text', 'abc\u202Edef'],
  ['a card number', '4242 4242 4242 4242'],
  ['nothing to see', '\u2800'],
  ['more than sixty characters', 'x'.repeat(61)],
])('a name with %s is refused', async (_, name) => {
  const { principalId, labelOf, rename } = await atThePortal()
  const agent = await Agent.register(app, principalId, { client_name: 'Plain' })
  const refused = await rename(agent, name)
  expect(refused.status).toBe(400)
  expect(await labelOf(agent)).toMatch(/^Plain/)
})

test('a revoked agent keeps its name', async () => {
  const { page, principalId, rename } = await atThePortal()
  const agent = await Agent.register(app, principalId)
  await page.mutate('agents.revoke', { client_id: agent.clientId })
  expect(refusalOf(await rename(agent, 'Again'))).toMatchObject({ error: 'not_found' })
})

test('a long name is cut so that the tail is read', async () => {
  const { principalId, one } = await atThePortal()
  const agent = await Agent.register(app, principalId, { client_name: 'n'.repeat(200) })
  expect((await one(agent)).label).toBe(`${'n'.repeat(69)}… …${await tailOf(agent)}`)
})

test('the upgrade gives agents of before the tail of their keys', async () => {
  const database = await openBefore('20261130030001_names_of_agents')
  const keys = await Promise.all((['EdDSA', 'ES256', 'RS256'] as const).map((alg) => newKey(alg)))
  await database.session((session) =>
    session.script(`
      INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
        VALUES ('tenant', 'wallet', 'tenant', 'Wallet', '[]', '[]', '[]', '[]', '{}', now());
      INSERT INTO principals (id, tenant_id, created_at) VALUES ('ada', 'tenant', now());`),
  )
  await database.query(
    sql`INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
     SELECT n, 'agent', 'tenant', 'ada', n, '[]', '[]', '[]', jsonb_build_array(key), '{}', now()
       FROM ${sql.rows(
         'k',
         { n: 'text', key: 'jsonb' },
         keys.map(({ jwk }, index) => ({ n: String(index), key: JSON.stringify(jwk) })),
       )}`,
  )
  await migrate(database, migrationsDirectory())
  const rows = await database.query<{ key_tail: string }>(sql`SELECT key_tail FROM agents ORDER BY id`)
  const thumbprints = await Promise.all(keys.map(({ jwk }) => calculateJwkThumbprint(jwk)))
  expect(rows.map((row) => row.key_tail)).toEqual(thumbprints.map((thumbprint) => thumbprint.slice(-4)))
})
