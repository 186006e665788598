import { shownOf } from '@/components/approvals/shown'
import type { Platform } from '@/server/base/core/platform'
import { sql } from '@/server/base/core/sql'
import { installPlatform } from '@/server/base/platform/container'
import { answerAuthRequest, MAIL_SIGN_IN_LINK, mailSignInLink } from '@/server/identity/sessions'
import { readMessages } from '@/server/shared/notifications'
import { PORTAL_TENANT_ID } from '@/server/shared/principals'
import { runDueJobs } from '@/server/shared/queue'
import type { ConsentView } from '@/server/surfaces/portal'
import { answerPortalRequest } from '@/server/transport/trpc'
import { handleRequest } from './next-headers'

export interface BrowserAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
}

/** A browser with a page of the portal open: it keeps cookies and sends the headers of same-origin requests. */
export class Browser {
  readonly cookies = new Map<string, string>()

  constructor(private readonly platform: Platform) {
    installPlatform(platform)
  }

  async send(path: string, init: RequestInit = {}): Promise<BrowserAnswer> {
    const response = await this.open(path, init)
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== ''
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} }
  }

  /** Like `send`, for answers that stay open. */
  async open(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ 'sec-fetch-site': 'same-origin' })
    if (this.cookies.size > 0) headers.set('cookie', this.cookieHeader())
    for (const [name, value] of new Headers(init.headers)) {
      if (value === '') headers.delete(name)
      else headers.set(name, value)
    }
    const request = new Request(this.platform.config.baseUrl + path, { ...init, headers })
    const response = await handleRequest(
      request,
      path.startsWith('/api/auth/') ? answerAuthRequest : answerPortalRequest,
    )
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return response
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';')
    const at = pair.indexOf('=')
    const value = pair.slice(at + 1)
    if (value === '') this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), value)
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<BrowserAnswer> {
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  }

  async csrfToken(): Promise<string> {
    return String((await this.send('/api/auth/csrf')).json['csrfToken'])
  }

  async confirm(token: string, code?: string): Promise<BrowserAnswer> {
    return this.post('/api/auth/callback/magic-link', { csrfToken: await this.csrfToken(), token, code })
  }

  /** Signs in with the link that is mailed to the address. Throws when that fails. */
  async signInByMail(email: string): Promise<void> {
    const asked = await this.post('/api/auth/sign-in-link', { email })
    if (asked.status !== 202) throw new Error(`The link for ${email} was answered ${asked.status}.`)
    const { status } = await this.confirm(await mailedToken(this.platform, email))
    if (status !== 200) throw new Error(`The link mailed to ${email} was answered ${status}.`)
  }

  async signInAsDemo(): Promise<BrowserAnswer> {
    return this.post('/api/auth/callback/demo', { csrfToken: await this.csrfToken() })
  }

  async signOut(): Promise<BrowserAnswer> {
    return this.post('/api/auth/signout', { csrfToken: await this.csrfToken() })
  }

  query(procedure: string, input?: unknown): Promise<BrowserAnswer> {
    const search = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
    return this.send(`/api/trpc/${procedure}${search}`)
  }

  /** Approves a request as its page shows it now. */
  async approve(id: string): Promise<BrowserAnswer> {
    const view = dataOf<ConsentView>(await this.query('approvals.one', { id }))
    const shown = shownOf(view, view.ask_above_minor)
    return this.mutate('approvals.decide', { authorization_id: id, decision: 'approve', shown })
  }

  /** Calls a mutation as the portal's client does: in a batch, here of one. */
  async mutate(procedure: string, input?: unknown, headers: Record<string, string> = {}): Promise<BrowserAnswer> {
    const reply = await this.post(`/api/trpc/${procedure}?batch=1`, { 0: input }, headers)
    return { ...reply, json: Array.isArray(reply.json) ? reply.json[0] : reply.json }
  }
}

/** Returns the data of a tRPC answer. */
export function dataOf<T = Record<string, unknown>>({ json }: BrowserAnswer): T {
  return (json['result'] as { data: T }).data
}

/** Returns the message and data of a tRPC refusal. */
export function refusalOf({ json }: BrowserAnswer) {
  const { message, data } = json['error'] as { message: string; data: Record<string, unknown> }
  return { message, ...data }
}

/** Mails the sign-in links that were requested. */
export const mailSignInLinks = (platform: Platform): Promise<number> =>
  runDueJobs(platform, { [MAIL_SIGN_IN_LINK]: mailSignInLink })

/** Returns the token in the newest sign-in link that was mailed to the address. */
export async function mailedToken(platform: Platform, email: string): Promise<string> {
  await mailSignInLinks(platform)
  const message = (await readMessages(platform, 200)).find(({ to }) => to === email)
  return new URL(message?.links[0] ?? 'http://nothing.mailed').hash.replace('#token=', '')
}

/** Inserts the built-in tenant and one of its people. */
export async function newPortalPerson(platform: Platform, { id, email }: { id: string; email: string }): Promise<void> {
  const now = platform.clock.now()
  await platform.db.query(
    sql`INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
     VALUES (${PORTAL_TENANT_ID}, 'wallet', ${PORTAL_TENANT_ID}, 'Wallet portal', '[]', '[]', '[]', '[]', '{}', ${now}) ON CONFLICT DO NOTHING`,
  )
  await platform.db.query(
    sql`INSERT INTO principals (id, tenant_id, email, created_at) VALUES (${id}, ${PORTAL_TENANT_ID}, ${email}, ${now})`,
  )
}

interface ConsentOptions {
  readonly lifetimeSeconds?: number
  readonly amountMinor?: number
  readonly currency?: string
  readonly lineItems?: readonly Record<string, unknown>[]
}

/** Inserts a purchase that waits for the person's decision. Returns its id. */
export async function insertConsent(
  platform: Platform,
  person: { readonly principalId: string; readonly agentId: string },
  options: ConsentOptions = {},
): Promise<string> {
  const now = platform.clock.now()
  const id = platform.random.uuid()
  await platform.db.query(
    sql`INSERT INTO consents (authorization_id, approval_handle, principal_id, client_id, kind, consent_mode, match_code,
                           merchant_audience, merchant_name, amount_minor, currency, line_items, scope,
                           first_purchase_at_merchant, created_at, expires_at)
     VALUES (${id}, ${`handle-${id}`}, ${person.principalId}, ${person.agentId}, 'payment', 'dashboard', '47', 'https://tallow.example', 'Tallow Books', ${options.amountMinor ?? 1_200}::bigint, ${options.currency ?? 'EUR'}, ${JSON.stringify(options.lineItems ?? [{ sku: 'book', qty: 1, unit_price_minor: options.amountMinor ?? 1_200 }])}::jsonb,
             '["oid4ac:payment"]', true, ${now}, ${new Date(now.getTime() + (options.lifetimeSeconds ?? 900) * 1000)})`,
  )
  return id
}

/** Three of the limits that a payment of 12.00 EUR may exceed. */
export const EXCEEDS = [
  { kind: 'single_txn_cap', scope: 'wallet', current_minor: 1_000, requested_minor: 1_200 },
  { kind: 'daily_cap', scope: 'wallet', current_minor: 1_500, requested_minor: 2_400 },
  { kind: 'velocity', scope: 'agent', current_minor: 3, requested_minor: 4 },
] as const

/** Inserts a waiting limit request, with or without a consent. */
export async function insertBump(
  platform: Platform,
  person: { readonly principalId: string; readonly agentId: string },
  consentId: string | null = null,
): Promise<string> {
  const now = platform.clock.now()
  const id = platform.random.uuid()
  await platform.db.query(
    sql`INSERT INTO limit_bumps (id, principal_id, agent_client_id, merchant_audience, currency, amount_minor, exceeds,
                              consent_id, created_at, expires_at)
     VALUES (${id}, ${person.principalId}, ${person.agentId}, 'https://tallow.example', 'EUR', 1200, ${JSON.stringify(EXCEEDS)}::jsonb,
             ${consentId}, ${now}, ${new Date(now.getTime() + 900_000)})`,
  )
  await platform.db.query(sql`UPDATE consents SET limit_bump_id = ${id} WHERE authorization_id = ${consentId}`)
  return id
}
