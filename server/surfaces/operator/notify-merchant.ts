import type { OperatorCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { queueMessage } from '../../shared/notifications'
import type { MerchantRow } from '../../wallet/merchants'

interface MerchantChange {
  readonly before: MerchantRow
  readonly after: MerchantRow
}

/**
 * Mails the merchant's contact, in the transaction of the change, what changed about its account, fee and keys. When
 * the address itself changed, the earlier one is mailed too.
 */
export async function notifyMerchant(
  tx: Transaction,
  call: Pick<OperatorCall, 'platform' | 'now'>,
  { before, after }: MerchantChange,
): Promise<void> {
  const changes = describe({ before, after })
  if (changes.length === 0) return
  const { baseUrl } = call.platform.config
  const text = [
    `The operator of ${baseUrl} has changed the record of ${after.merchant_audience}:`,
    changes.map((change) => `- ${change}`).join('\n'),
    'If you did not expect that, speak to the operator now.',
  ].join('\n\n')
  const id = call.platform.random.uuid()
  for (const recipient of new Set([before.contact_email, after.contact_email])) {
    queueMessage(tx, call, {
      eventKey: `merchant:${id}:${recipient === after.contact_email ? 'new' : 'old'}`,
      principalId: null,
      channel: 'email',
      recipient,
      subject: 'Your merchant record was changed',
      text,
      links: [],
      about: `merchant:${after.id}`,
    })
  }
}

function describe({ before, after }: MerchantChange): string[] {
  const lines = [
    ['Account that is paid', before.connected_account_id ?? 'none', after.connected_account_id ?? 'none'],
    ['Greatest fee', percent(before.max_application_fee_bps), percent(after.max_application_fee_bps)],
    ['Federation entity whose keys count', before.federation_entity_id ?? 'none', after.federation_entity_id ?? 'none'],
  ] as const
  const changed = lines.filter(([, from, to]) => from !== to).map(([what, from, to]) => `${what}: ${from}, now ${to}`)
  const isMoved = before.contact_email !== after.contact_email
  return isMoved ? [...changed, 'Messages like this one go to another address from now on, or to none'] : changed
}

const percent = (bps: number): string => `${(bps / 100).toFixed(2)} %`
