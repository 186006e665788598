import type { WalletCall } from '../../base/core/call'
import { maskMailAddress } from '../../base/core/mask-mail-address'
import { readContacts } from '../../identity/contacts'
import { requirePrincipal } from '../../shared/principals'
import type { PrivacyView } from './contract'
import { listPrivacyRequests } from './list-requests'
import { storedKinds } from './stored-kinds'

/** Returns the content of the portal's privacy page. */
export async function readPrivacy(call: WalletCall): Promise<PrivacyView> {
  const principal = await requirePrincipal(call.platform.db, call.actor.principalId)
  const { pending_email: pending } = await readContacts(call)
  const { id, display_name, email } = principal
  return {
    principal: { id, display_name, email },
    mailed_to: email === null ? null : maskMailAddress(email),
    pending_email: pending,
    processing_restricted: principal.processing_restricted,
    marketing_objected: principal.marketing_objected,
    requests: await listPrivacyRequests(call),
    kinds: storedKinds,
  }
}
