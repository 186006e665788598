import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { readStanding, relyingParty } from '../passkeys'
import { findPrincipal } from '../principals'
import type { SessionView } from './contract'

/** Who is signed in, and what this installation is. */
export async function readSession({ platform, actor }: WalletCall): Promise<SessionView> {
  const principal = await findPrincipal(platform.db, actor.principalId)
  if (principal === null) throw new ServiceError('not_found', 'There is no such principal.')
  const { passkeys: count, required } = await readStanding(platform.db, principal.id)
  const isOn = async (name: 'consent_scan' | 'settlement' | 'card_enrolment') => platform.switches.isOn(name)
  return {
    principal: {
      id: principal.id,
      display_name: principal.display_name,
      email: principal.email,
      approval_rule: principal.approval_rule,
    },
    passkeys: { available: relyingParty(platform.config) !== null, count, required },
    sandbox: platform.config.sandbox,
    phone_messages: platform.mailer.carriesRcs,
    switches: {
      consent_scan: await isOn('consent_scan'),
      settlement: await isOn('settlement'),
      card_enrolment: await isOn('card_enrolment'),
    },
    base_url: platform.config.baseUrl,
  }
}
