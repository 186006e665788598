import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import { parseScopes } from '../../base/contract/parse-scopes'
import type { OperatorCall, WalletCall } from '../../base/core/call'
import { ValidationError } from '../../base/core/errors'
import type { Platform, Transaction } from '../../base/core/platform'
import { parsePublicJwk } from '../../base/protocol/jwk'
import { mintSetupToken, requireOpenToAgents } from '../../oauth/clients'
import { openWalletSession } from '../../oauth/tokens'
import { recordOperatorAct } from '../../shared/audit'
import { markPhoneConfirmed, savePreferences } from '../../shared/notifications'
import { PORTAL_TENANT_ID, requireActivePrincipal, saveMagicLinkGate } from '../../shared/principals'
import { parseLimits, saveLimits } from '../../wallet/limits'
import { limitsToWire, type WireLimits } from '../../wallet/limits/contract'
import { addPrincipal } from './create-principal'
import { enrolTestCard } from './enrol-test-card'
import { parseField } from './parse-field'
import type {
  createSandboxPrincipalEndpoint,
  createSandboxSetupTokenEndpoint,
  openSandboxWalletSessionEndpoint,
} from './sandbox-contract'
import { requireSandboxProcessor } from './sandbox-processor'

/** Two days. */
const CONFIRMED_BEFORE_MILLISECONDS = 172_800_000

type CreatePrincipal = typeof createSandboxPrincipalEndpoint
type CreateSetupToken = typeof createSandboxSetupTokenEndpoint
type OpenSession = typeof openSandboxWalletSessionEndpoint

/** POST /operator/sandbox/principals: creates a person with limits and an enrolled test card. */
export async function createSandboxPrincipal(
  call: OperatorCall,
  input: InputOf<CreatePrincipal>,
): Promise<OutputOf<CreatePrincipal>> {
  const { platform } = call
  requireSandboxProcessor(platform)
  const tenantId = input.wallet_client_id ?? PORTAL_TENANT_ID
  const email = input.email ?? `${platform.random.uuid()}@sandbox.test`
  const limits = input.limits === undefined ? null : readLimits(platform, input.limits)
  const person = { tenantId, email, displayName: 'Sandbox person', approvalRule: input.approval_rule }
  const principalId = await addPrincipal(call, person, { what: 'createSandboxPrincipal', limits })
  if (input.magic_link_gate) await saveMagicLinkGate(platform.db, principalId, true)
  const actor = { kind: 'wallet', principalId, tenantId, via: 'portal', session: null } as const
  const wallet: WalletCall = { ...call, actor }
  if (input.limits !== undefined) await saveLimits.verb(wallet, input.limits)
  if (input.rcs_phone_e164 !== undefined) await saveConfirmedPhone(call, principalId, input.rcs_phone_e164)
  const cardId = await enrolTestCard(wallet, { card: input.card, idempotencyKey: platform.random.uuid() })
  return { principal_id: principalId, email, card_id: cardId }
}

/** Saves a phone that was confirmed long enough ago to approve. */
async function saveConfirmedPhone({ platform, now }: OperatorCall, principalId: string, phone: string): Promise<void> {
  const preferences = { rcs_enabled: true, rcs_phone_e164: phone, email_enabled: true }
  await platform.db.transaction(async (tx) => {
    await savePreferences(tx, principalId, { preferences, now })
    await markPhoneConfirmed(tx, principalId, { phone, at: new Date(now.getTime() - CONFIRMED_BEFORE_MILLISECONDS) })
  })
}

/** Returns the limits that were sent. 422 for invalid ones, before the person is created. */
function readLimits(platform: Platform, limits: NonNullable<InputOf<CreatePrincipal>['limits']>): WireLimits {
  try {
    return limitsToWire(parseLimits(platform, limits))
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw new ValidationError(
      error.issues.map((issue) => ({ ...issue, loc: ['body', 'limits', ...issue.loc.slice(1)] })),
    )
  }
}

/** POST /operator/sandbox/setup-tokens: mints a setup token as the person's wallet does. */
export async function createSandboxSetupToken(
  call: OperatorCall,
  input: InputOf<CreateSetupToken>,
): Promise<OutputOf<CreateSetupToken>> {
  const { platform } = call
  const scope = parseScopes(input.scope)
  const principal = await requireActivePrincipal(platform.db, input.principal_id)
  requireOpenToAgents(principal)
  const person = { principalId: principal.id, tenantId: principal.tenant_id }
  const record = (tx: Transaction, id: string) =>
    recordOperatorAct(tx, call, { what: 'createSandboxSetupToken', from: null, to: { scope }, subjectId: id, person })
  return (await mintSetupToken(call, { plan: { ...person, scope, name: null, purpose: null }, record })).reply
}

/** POST /operator/sandbox/wallet-sessions: returns a token such as the person's wallet gets after sign-in. */
export async function openSandboxWalletSession(
  call: OperatorCall,
  input: InputOf<OpenSession>,
): Promise<OutputOf<OpenSession>> {
  const { platform, now } = call
  const jwk = await parseField('dpop_jwk', () => parsePublicJwk(input.dpop_jwk))
  const scope = parseScopes(input.scope) ?? []
  const order = { principalId: input.principal_id, scope, jwk, now }
  return openWalletSession(platform, order, (tx, { familyId, tenantId }) =>
    recordOperatorAct(tx, call, {
      what: 'openSandboxWalletSession',
      from: null,
      to: { scope },
      subjectId: familyId,
      person: { principalId: input.principal_id, tenantId },
    }),
  )
}
