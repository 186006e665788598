/** A service whose region trusts another issuer, and a wallet that holds a credential of it. */
import { afterAll, beforeAll } from 'vitest'
import { type Answer, clientAssertion, exchange, type Key, must, newKey, operate } from '../support/actors'
import { type App, startApp } from '../support/app'
import { type ForeignIssuer, startForeignIssuer } from './foreign-issuer'
import { fetchRequest, type RequestClaims, respond } from './wallet'

export const VCT = 'https://credentials.example/identity/1'
export const REGION = 'EU'

type Body = Readonly<Record<string, unknown>>

export interface CreatedRequest {
  readonly request_uri: string
  readonly deep_link: string
  readonly qr_payload: string
  readonly nonce: string
  readonly state: string
}

export interface PresentationResult {
  readonly request_id: string
  readonly state: string
  readonly status: string
  readonly result?: { readonly claims: Body; readonly presentations: readonly Body[] } & Body
  readonly error?: string
  readonly error_description?: string
}

/** What the wallet holds and what it is asked for. */
export const claims = { given_name: 'Ada', age_equal_or_over: { 18: true }, nationalities: ['IE', 'DE'] }
export const query = (more: Body = {}): Body => ({
  credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: [VCT] }, claims: [{ path: ['given_name'] }] }],
  ...more,
})

export interface World {
  readonly app: App
  readonly issuer: ForeignIssuer
  readonly holder: Key
  readonly sdJwt: string
}

export async function openWorld(options: Parameters<typeof startApp>[0] = {}): Promise<World> {
  const app = await startApp(options)
  const issuer = await startForeignIssuer({ clock: app.clock })
  await trust(app, REGION, [{ issuer: issuer.issuer, algs: ['ES256'], jwks: issuer.jwks }])
  const holder = await newKey('ES256')
  return { app, issuer, holder, sdJwt: await issuer.issue({ vct: VCT, claims, holder, status: 3 }) }
}

/** Whom a region trusts. */
export async function trust(app: App, region: string, issuers: readonly Body[]): Promise<void> {
  must(await operate(app, 'PUT', `/trust-lists/${region}`, { issuers }), 200)
}

/** Opens one before the tests of a file and closes it after them. */
export function withWorld(prepare: (world: World) => unknown): void {
  let world: World | null = null
  beforeAll(async () => {
    world = await openWorld()
    await prepare(world)
  })
  afterAll(async () => {
    await world?.issuer.close()
    await world?.app.close()
  })
}

/** POST /eudiw/request; anybody may in an open sandbox. */
export function ask(app: App, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return exchange<CreatedRequest & { detail?: { loc: unknown[] }[]; error?: string }>(`${app.baseUrl}/eudiw/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

export async function newRequest(app: App, more: Body = {}): Promise<CreatedRequest> {
  return must(await ask(app, { dcql_query: query(), ...more }), 200)
}

export const idOf = ({ request_uri: uri }: CreatedRequest): string => uri.split('/').at(-1) ?? ''

export function readResult(app: App, request: CreatedRequest, headers: Readonly<Record<string, string>> = {}) {
  return exchange<PresentationResult>(`${app.baseUrl}/eudiw/response/${idOf(request)}`, { headers })
}

/** The headers of a wallet client (A3). */
export async function credentialOf(app: App, client: { clientId: string; key: Key }) {
  return { 'x-client-id': client.clientId, 'x-client-assertion': await clientAssertion(app, client) }
}

type Changes = Readonly<Record<string, unknown>>

/** Presents the credential to a request; `changes` replace what the key binding says. */
export function present({ issuer, holder, sdJwt }: World, request: RequestClaims, changes: Changes = {}) {
  return issuer.present(sdJwt, {
    holder,
    aud: request.client_id,
    nonce: request.nonce,
    disclose: ['given_name'],
    ...(request.transaction_data !== undefined && { transactionData: request.transaction_data }),
    ...changes,
  })
}

/** Fetches a request as a wallet does, and presents to it. */
export async function answer(world: World, request: CreatedRequest, changes: Changes = {}): Promise<Answer> {
  const { claims: asked } = await fetchRequest(request.deep_link)
  return respond(asked, { vp_token: { pid: [await present(world, asked, changes)] } })
}
