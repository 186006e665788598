import type { WalletCall } from '../../../base/core/call'
import { sandboxMode } from '../../../base/core/sandbox-mode'
import { readPasskeyStatus, webauthnRelyingParty } from '../../../identity/passkeys'
import { findFrozenAt, requirePrincipal } from '../../../shared/principals'
import type { SessionView } from './view'

/** Returns the signed-in person, and the state of this installation. */
export async function readSession({ platform, actor }: WalletCall): Promise<SessionView> {
  const principal = await requirePrincipal(platform.db, actor.principalId)
  const { passkeys: count, required } = await readPasskeyStatus(platform.db, principal.id)
  const isOn = async (name: 'consent_scan' | 'settlement' | 'card_enrolment') => platform.switches.isOn(name)
  return {
    principal: {
      id: principal.id,
      display_name: principal.display_name,
      email: principal.email,
      approval_rule: principal.approval_rule,
    },
    passkeys: { available: webauthnRelyingParty(platform.config) !== null, count, required },
    frozen_at: (await findFrozenAt(platform.db, principal.id))?.toISOString() ?? null,
    processing_restricted: principal.processing_restricted,
    sandbox: sandboxMode(platform.config),
    phone_messages: platform.mailer.carriesRcs,
    switches: {
      consent_scan: await isOn('consent_scan'),
      settlement: await isOn('settlement'),
      card_enrolment: await isOn('card_enrolment'),
    },
    base_url: platform.config.baseUrl,
  }
}
