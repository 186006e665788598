import { Reply } from '../../base/contract/reply'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { recordAudit } from '../../shared/audit'
import { lockPrincipal, requirePrincipal } from '../../shared/principals'
import { enqueueJob, nudgeJobs } from '../../shared/queue'
import { answerPrivacyRequestOnce, type KeyedInput, type SaveAnswer } from './answer-once'
import { accessEndpoint, DELIVERY_SECONDS } from './contract'
import { MAIL_DATA_JOB, mailDataKey } from './mail-data-job'
import { openRequest } from './open-request'

/** Queues the mail with the person's data, for the portal. 400 for a person without an address. */
export async function queueAccessMail(call: WalletCall) {
  return accessEndpoint.output.parse(JSON.parse(await queueAccess(call, () => Promise.resolve())))
}

/** POST /privacy/dsar/access: one mail and one audit entry per call; the same bytes for the same Idempotency-Key for a day. */
export async function answerAccess(call: WalletCall, input: KeyedInput): Promise<Reply> {
  const { text, isReplay } = await answerPrivacyRequestOnce(call, { kind: 'access', input }, (save) =>
    queueAccess(call, save),
  )
  return Reply.renderedJson(text, { headers: isReplay ? { 'idempotent-replayed': 'true' } : {} })
}

async function queueAccess(call: WalletCall, save: SaveAnswer): Promise<string> {
  const { platform, actor, now } = call
  const { principalId, tenantId } = actor
  const text = await platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, principalId)
    const requestId = await openRequest(tx, call, { kind: 'access', result: 'queued' })
    const { email } = await requirePrincipal(tx, principalId)
    if (email === null) throw new ServiceError('invalid_request', 'There is no e-mail address to send to.')
    const payload = { request_id: requestId }
    await enqueueJob(tx, call, { kind: MAIL_DATA_JOB, key: mailDataKey(requestId), payload })
    const answer = JSON.stringify({
      status: 'queued',
      request_id: requestId,
      estimated_delivery: new Date(now.getTime() + DELIVERY_SECONDS * 1000).toISOString(),
    })
    await save(tx, answer)
    const by = { kind: 'principal', id: principalId } as const
    await recordAudit(tx, { event: 'oid4ac.privacy.access', tenantId, principalId, actor: by, payload, now })
    return answer
  })
  nudgeJobs(platform)
  return text
}
