import { encodeQR } from 'qr'
import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { offerOwnCredential } from '../../../credentials/issuance'
import type { offerOwnCredentialProcedure } from '../../../credentials/issuance/contract'
import type { CredentialOfferView } from './view'

/** Creates an offer about the signed-in person, in each form that a wallet app accepts. It is shown only once. */
export async function offerCredential(
  call: WalletCall,
  input: ProcedureInput<typeof offerOwnCredentialProcedure>,
): Promise<CredentialOfferView> {
  const { id, expiresAt, reply } = await offerOwnCredential(call, input)
  return {
    id,
    deep_link: reply.deep_link,
    qr_svg: encodeQR(reply.qr_payload, 'svg', { ecc: 'low' }),
    tx_code: reply.tx_code ?? '',
    expires_at: expiresAt.toISOString(),
  }
}
