import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall, WalletCall } from '../../base/core/call'
import { ValidationError } from '../../base/core/errors'
import { parsePublicJwk } from '../../base/protocol/jwk'
import { mintSetupToken, parseScopes, requireOpenToAgents } from '../../oauth/clients'
import { openWalletSession } from '../../oauth/tokens'
import { markPhoneConfirmed, savePreferences } from '../../shared/notifications'
import { deleteNewPrincipal, PORTAL_TENANT_ID, requirePrincipal, saveMagicLinkGate } from '../../shared/principals'
import { saveLimits } from '../../wallet/limits'
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

/** POST /operator/sandbox/principals: a person with limits and an enrolled test card. */
export async function createSandboxPrincipal(
  call: OperatorCall,
  input: InputOf<CreatePrincipal>,
): Promise<OutputOf<CreatePrincipal>> {
  const { platform, now } = call
  requireSandboxProcessor(platform)
  const tenantId = input.wallet_client_id ?? PORTAL_TENANT_ID
  const email = input.email ?? `${platform.random.uuid()}@sandbox.test`
  const person = { tenantId, email, displayName: 'Sandbox person', approvalRule: input.approval_rule, now }
  const principalId = await addPrincipal(platform, person)
  if (input.magic_link_gate) await saveMagicLinkGate(platform.db, principalId, true)
  const actor = { kind: 'wallet', principalId, tenantId, via: 'portal', session: null } as const
  const wallet: WalletCall = { ...call, actor }
  if (input.limits !== undefined) await saveNewLimits(wallet, input.limits)
  if (input.rcs_phone_e164 !== undefined) await saveConfirmedPhone(call, principalId, input.rcs_phone_e164)
  const cardId = await enrolTestCard(wallet, { card: input.card, idempotencyKey: platform.random.uuid() })
  return { principal_id: principalId, email, card_id: cardId }
}

/** Long enough ago for the phone to approve. */
async function saveConfirmedPhone({ platform, now }: OperatorCall, principalId: string, phone: string): Promise<void> {
  const preferences = { rcs_enabled: true, rcs_phone_e164: phone, email_enabled: true }
  await platform.db.transaction(async (tx) => {
    await savePreferences(tx, principalId, { preferences, now })
    await markPhoneConfirmed(tx, principalId, { phone, at: new Date(now.getTime() - CONFIRMED_BEFORE_MILLISECONDS) })
  })
}

/** Saves the limits. When they are refused, the person is deleted, so that the e-mail address stays free. */
async function saveNewLimits(
  wallet: WalletCall,
  limits: NonNullable<InputOf<CreatePrincipal>['limits']>,
): Promise<void> {
  try {
    await saveLimits.verb(wallet, limits)
  } catch (error) {
    await deleteNewPrincipal(wallet.platform.db, wallet.actor.principalId)
    if (!(error instanceof ValidationError)) throw error
    throw new ValidationError(
      error.issues.map((issue) => ({ ...issue, loc: ['body', 'limits', ...issue.loc.slice(1)] })),
    )
  }
}

/** POST /operator/sandbox/setup-tokens: a setup token as the person's wallet mints it. */
export async function createSandboxSetupToken(
  { platform, now }: OperatorCall,
  input: InputOf<CreateSetupToken>,
): Promise<OutputOf<CreateSetupToken>> {
  const scope = parseScopes(input.scope)
  const principal = await requirePrincipal(platform.db, input.principal_id)
  requireOpenToAgents(principal)
  const order = { principalId: principal.id, tenantId: principal.tenant_id, scope, name: null, purpose: null }
  return (await mintSetupToken(platform, order, now)).reply
}

/** POST /operator/sandbox/wallet-sessions: a token as the person's wallet gets it after sign-in. */
export async function openSandboxWalletSession(
  { platform, now }: OperatorCall,
  input: InputOf<OpenSession>,
): Promise<OutputOf<OpenSession>> {
  const jwk = await parseField('dpop_jwk', () => parsePublicJwk(input.dpop_jwk))
  const scope = parseScopes(input.scope) ?? []
  return openWalletSession(platform, { principalId: input.principal_id, scope, jwk, now })
}
