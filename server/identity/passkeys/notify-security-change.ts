import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { type MessageText, notify, type Words } from '../../shared/notifications'

export interface SecurityChange {
  readonly principalId: string
  readonly change:
    | 'passkey_added'
    | 'passkey_removed'
    | 'passkey_required'
    | 'passkey_not_required'
    | 'passkeys_reset'
    | 'recovery_codes_made'
    | 'recovery_code_used'
  /** The passkey's name. */
  readonly name?: string
  /** A mailed link that undoes the change. */
  readonly undo?: string | undefined
  readonly email: string | null
}

/**
 * Notifies the person, in the transaction of the change, of a change that an intruder would make first. Preferences do
 * not suppress it: it is mailed even when mail is turned off.
 */
export async function notifySecurityChange(
  tx: Transaction,
  { platform, now }: Pick<Call, 'platform' | 'now'>,
  { principalId, change, name = '', undo, email }: SecurityChange,
): Promise<void> {
  const link = `${platform.config.baseUrl}/settings/security`
  await notify(
    tx,
    { platform, now },
    {
      eventKey: `security:${change}:${platform.random.uuid()}`,
      isSecurity: true,
      about: `security:${principalId}`,
      principalId,
      email,
      compose: (words) => composeText(words, { change, name, undo, link }),
      links: [link],
    },
  )
}

interface Changed extends Pick<SecurityChange, 'change' | 'undo'> {
  readonly name: string
  readonly link: string
}

function composeText({ security, quoted }: Words, { change, name, undo, link }: Changed): MessageText {
  const { subject, text } = security.changes[change]
  const done = text(quoted(name))
  const mailOnly = undo === undefined ? undefined : { text: `${done}\n\n${security.undo(undo)}`, links: [undo] }
  return { subject, text: `${done} ${security.look(link)}`, mailOnly }
}
