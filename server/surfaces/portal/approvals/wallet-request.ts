import { encodeQR } from 'qr'
import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { createApprovalRequest, readPersonsRequest } from '../../../credentials/presentations'
import type { openWalletRequestProcedure, readWalletAnswerProcedure } from './contract'
import type { WalletAnswer, WalletRequest } from './view'

/**
 * Creates a request for the person's wallet app, as a link and as a QR code. Throws as `createApprovalRequest` does.
 */
export async function openWalletRequest(
  call: WalletCall,
  purchase: ProcedureInput<typeof openWalletRequestProcedure>,
): Promise<WalletRequest> {
  const { id, deepLink, expiresAt } = await createApprovalRequest(call, purchase)
  return {
    request_id: id,
    deep_link: deepLink,
    qr_svg: encodeQR(deepLink, 'svg', { ecc: 'medium' }),
    expires_at: expiresAt.toISOString(),
  }
}

/** Returns the state of the wallet app's answer. 404 for another person's request. */
export async function readWalletAnswer(
  call: WalletCall,
  { request_id: id }: ProcedureInput<typeof readWalletAnswerProcedure>,
): Promise<WalletAnswer> {
  const answer = await readPersonsRequest(call, { id, purpose: 'approval' })
  return { status: answer.status, error: 'error' in answer ? answer.error : null }
}
