import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { readMessages } from '@/server/shared/notifications'
import { PORTAL_TENANT_ID } from '@/server/shared/principals'
import { Agent, newKey, newPrincipal, newWalletClient, Person } from '../../support/actors'
import { type App, startApp } from '../../support/app'

export const LIMITS = { daily_cap_minor: 5_000, single_txn_cap_minor: 2_000, currency: 'EUR' }

/** A person with limits and an agent of theirs. */
export interface Household {
  readonly tenantId: string
  readonly principalId: string
  readonly email: string
  readonly person: Person
  readonly agent: Agent
}

/** In a tenant of its own, with the wallet client that the tenant is. */
export interface TenantHousehold extends Household {
  readonly wallet: Awaited<ReturnType<typeof newWalletClient>>
}

type ApprovalRule = 'every_purchase' | 'new_merchants' | 'above_limits'

/** What an attacker wants to change or to stay unseen in. */
export interface Books {
  /** Minor units that the processor has taken from the person's cards. */
  readonly charged: number
  /** Subjects of the messages to the person, the oldest first. */
  readonly messages: readonly string[]
  /** Events of the tenant's audit chain, in order. */
  readonly audit: readonly string[]
}

export interface Scene {
  readonly app: App
  household(approvalRule?: ApprovalRule): Promise<TenantHousehold>
  /** Of a person who uses the portal. */
  portalHousehold(approvalRule?: ApprovalRule): Promise<Household>
  books(home: Household): Promise<Books>
  /** Texts of the messages to an address. */
  messagesTo(address: string): Promise<string[]>
}

/** Starts the service for the stories of one file, and closes it after them. Each story has a household of its own. */
export function openScene(): Scene {
  let app: App
  beforeAll(async () => {
    app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
  })
  afterAll(() => app.close())
  return {
    get app() {
      return app
    },
    household: async (approvalRule = 'above_limits') => {
      const wallet = await newWalletClient(app)
      return { wallet, ...(await newHousehold(app, wallet.clientId, approvalRule)) }
    },
    portalHousehold: (approvalRule = 'above_limits') => newHousehold(app, PORTAL_TENANT_ID, approvalRule),
    books: (home) => readBooks(app, home),
    messagesTo: async (address) =>
      (await readMessages(app.platform, 1_000)).filter(({ to }) => to === address).map(({ text }) => text),
  }
}

async function newHousehold(app: App, tenantId: string, approvalRule: ApprovalRule): Promise<Household> {
  const own = tenantId === PORTAL_TENANT_ID ? {} : { wallet_client_id: tenantId }
  const options = { ...own, approval_rule: approvalRule, limits: LIMITS }
  const { principalId, email } = await newPrincipal(app, options)
  const [agent, person] = [await Agent.register(app, principalId), await Person.signIn(app, principalId)]
  return { tenantId, principalId, email, person, agent }
}

async function readBooks({ platform }: App, { tenantId, principalId, email }: Household): Promise<Books> {
  const { db } = platform
  const [money] = await db.query<{ charged: number }>(
    sql`SELECT coalesce(sum(c.amount_minor), 0)::int AS charged
          FROM sandbox_processor_charges c JOIN settlements s ON s.id = c.settlement_id
         WHERE s.principal_id = ${principalId}`,
  )
  const messages = await readMessages(platform, 1_000)
  const entries = await db.query<{ event: string }>(
    sql`SELECT event FROM audit_entries WHERE tenant_id = ${tenantId} ORDER BY seq`,
  )
  return {
    charged: money?.charged ?? 0,
    messages: messages
      .filter(({ to }) => to === email)
      .map(({ subject }) => subject ?? '')
      .reverse(),
    audit: entries.map(({ event }) => event),
  }
}

const paidMessage = (minor: number): unknown =>
  expect.stringMatching(new RegExp(`^You paid ${(minor / 100).toFixed(2)} EUR to `))

/** The books after one more payment: one message and one entry about it, and nothing else. */
export const afterPayment = ({ charged, messages, audit }: Books, minor: number) => ({
  charged: charged + minor,
  messages: [...messages, paidMessage(minor)],
  audit: [...audit, 'oid4ac.payment.succeeded'],
})

/** What an agent shows a merchant: the mandate with a key binding for this merchant and nonce. */
export async function presentMandate(
  { target, dpopKey }: Agent,
  mandate: string,
  { audience, nonce }: { readonly audience: string; readonly nonce: string },
): Promise<string> {
  const claims = { aud: audience, nonce, sd_hash: createHash('sha256').update(mandate).digest('base64url') }
  const iat = Math.floor((target.clock?.now() ?? new Date()).getTime() / 1000)
  const binding = new SignJWT(claims).setProtectedHeader({ alg: dpopKey.alg, typ: 'kb+jwt' }).setIssuedAt(iat)
  return mandate + (await binding.sign(dpopKey.privateKey))
}

/** The same agent with everything that was on its machine, but with a DPoP key of the attacker's. */
export async function withNewDpopKey({ target, clientId, key, principalId }: Agent): Promise<Agent> {
  return new Agent(target, clientId, key, await newKey(), principalId)
}
