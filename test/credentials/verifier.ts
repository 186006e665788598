/** What tests of POST /eudiw/verify have in common. */
import { exchange, type Key, must, newKey, operate } from '../support/actors'
import { type App, startApp } from '../support/app'
import { type ForeignIssuer, type IssueOptions, type PresentOptions, startForeignIssuer } from './foreign-issuer'

export const REGION = 'EU'
export const VCT = 'https://types.example/person'
export const NONCE = 'nonce-of-the-caller'

export interface World {
  readonly app: App
  readonly foreign: ForeignIssuer
  readonly holder: Key
}

/** A service whose region trusts a foreign issuer by its published keys, with both kinds of algorithms. */
export async function startWorld(env: Readonly<Record<string, string>> = {}): Promise<World> {
  const app = await startApp({ env })
  const foreign = await startForeignIssuer({ clock: app.clock })
  await trust(app, REGION, [{ issuer: foreign.issuer, algs: ['ES256', 'EdDSA'] }])
  return { app, foreign, holder: await newKey('ES256') }
}

export async function stopWorld({ app, foreign }: World): Promise<void> {
  await Promise.all([foreign.close(), app.close()])
}

/** Whom a region trusts, in place of what it trusted before. */
export async function trust(app: App, region: string, issuers: readonly object[]): Promise<void> {
  must(await operate(app, 'PUT', `/trust-lists/${region}`, { issuers }), 200)
}

export type PresentationDraft = Partial<IssueOptions> & {
  /** How it is presented; null: without key binding. */
  readonly binding?: Partial<PresentOptions> | null
}

/** An attestation of the foreign issuer, presented to us. */
export async function present({ app, foreign, holder }: World, draft: PresentationDraft = {}): Promise<string> {
  const { binding = {}, ...wanted } = draft
  const by = binding?.holder ?? holder
  const now = Math.floor(app.clock.now().getTime() / 1000)
  const claims = { given_name: 'Ada', family_name: 'Lovelace' }
  const issued = await foreign.issue({ vct: VCT, claims, holder: by, exp: now + 3_600, ...wanted })
  if (binding === null) return issued
  return foreign.present(issued, { holder: by, aud: app.baseUrl, nonce: NONCE, ...binding })
}

interface Result {
  readonly verified: true
  readonly format: string
  readonly vct: string
  readonly issuer: string
  readonly region: string
  readonly claims: Record<string, unknown>
  readonly holder: { readonly jkt: string }
  readonly nonce: string
  readonly aud: string
  readonly status: string
  readonly transaction_data_hashes?: readonly string[]
  readonly verified_at: string
}
export interface VerifyAnswer extends Result {
  readonly presentations: readonly (Result & { readonly id?: string })[]
  readonly error?: string
  readonly detail?: readonly { readonly loc: readonly unknown[]; readonly type: string }[]
}

/** Sends a body as it is, with the headers of the caller. */
export function send(app: App, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return exchange<VerifyAnswer>(`${app.baseUrl}/eudiw/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Has one presentation verified, as the answer to the query `pid`; members of the body can be replaced. */
export function verify(app: App, compact: string, more: object = {}) {
  return send(app, { vp_token: { pid: [compact] }, presentation_submission: null, region: REGION, ...more })
}

/** Status and code of a refusal, in one text. */
export async function refusal(answer: ReturnType<typeof send>): Promise<string> {
  const { status, json } = await answer
  return status === 200
    ? 'verified'
    : `${status} ${json.error ?? json.detail?.map(({ loc }) => loc.join('.')).join(' ')}`
}
