import * as z from 'zod'
import type { Platform } from '../../base/core/platform'
import { findWords, queueMessage } from '../../shared/notifications'
import { lockPrincipal, requirePrincipal } from '../../shared/principals'
import { readAccessDump } from './read-access-dump'
import { completeRequest, findQueuedRequest, type RequestRow } from './store'

const order = z.object({ request_id: z.string() })

/**
 * Reads the person's data and writes the mail with it, once, unless the person was erased meanwhile. The data is read
 * when the mail is written, not when it was requested.
 */
export async function mailData(platform: Platform, payload: unknown): Promise<void> {
  const { request_id: requestId } = order.parse(payload)
  const request = await findQueuedRequest(platform.db, requestId)
  if (request === null) return
  const principal = await requirePrincipal(platform.db, request.principal_id)
  const dump = principal.erased ? null : await readAccessDump(platform, { principal, requestId })
  await complete(platform, request, dump)
}

async function complete(platform: Platform, request: RequestRow, dump: object | null): Promise<void> {
  const now = platform.clock.now()
  await platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, request.principal_id)
    const { email, erased } = await requirePrincipal(tx, request.principal_id)
    if ((await findQueuedRequest(tx, request.id)) === null) return
    const isDropped = erased || email === null || dump === null
    await completeRequest(tx, { id: request.id, result: isDropped ? 'dropped' : 'mailed', now })
    if (isDropped) return
    queueMessage(
      tx,
      { platform, now },
      {
        eventKey: `data:${request.id}`,
        principalId: request.principal_id,
        channel: 'email',
        recipient: email,
        ...(await findWords(tx, request.principal_id)).account.data,
        links: [],
        data: { request_id: request.id, dump },
      },
      request.id,
    )
  })
}
