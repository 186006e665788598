import { UsageError } from '../operator-client'
import type { Command } from './command'

/** The commands about credentials for wallets. */
export const credentialCommands: readonly Command[] = [
  {
    words: ['credentials', 'offer'],
    takes: ['service_mandate|service_age_verified_buyer'],
    options: {
      subject: { hint: 'file with the claims', required: true },
      'tx-code': { hint: 'yes|no' },
      'qr-file': { hint: 'offer.svg' },
    },
    summary: 'Offers a credential: shows the link for the wallet, in a terminal with a QR code; --qr-file writes one.',
    toCall: ([id = ''], { subject = '', 'tx-code': txCode, 'qr-file': qrFile }) => ({
      method: 'POST',
      path: '/oid4vci/credential-offer',
      isWhole: true,
      body: { credential_configuration_id: id, ...(txCode !== undefined && { tx_code: isYes(txCode) }) },
      files: { subject },
      ...(qrFile !== undefined && { qrFile }),
    }),
  },
  {
    words: ['credentials', 'revoke'],
    takes: ['credential_id'],
    summary: 'Revokes a credential for good, in the status list.',
    toCall: ([id = '']) => ({ method: 'POST', path: `/credentials/${encodeURIComponent(id)}/revoke` }),
  },
]

/**
 * Returns whether `--tx-code` is yes. Throws a UsageError on anything but yes or no, since an offer without the wanted
 * transaction code would be open to everyone who sees the link.
 */
function isYes(txCode: string): boolean {
  if (txCode !== 'yes' && txCode !== 'no') throw new UsageError(`--tx-code is yes or no, not "${txCode}".`)
  return txCode === 'yes'
}
