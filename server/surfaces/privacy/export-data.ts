import { Reply } from '../../base/contract/reply'
import type { WalletCall } from '../../base/core/call'
import { lockPrincipal } from '../../shared/principals'
import { answerOnce, type KeyedInput, type SaveAnswer } from './answer-once'
import { type PortabilityDump, portabilityDump } from './dump-schema'
import { openRequest } from './open-request'
import { readPortability } from './read-portability'

export const PORTABILITY_FILE = 'countersign-portability.json'

/** What the person takes with them, for the portal. */
export async function takeData(call: WalletCall): Promise<PortabilityDump> {
  const { platform, actor } = call
  const requestId = await platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, actor.principalId)
    return openRequest(tx, call, { kind: 'portability', result: 'exported' })
  })
  return portabilityDump.parse(await readPortability(platform.db, { ...actor, requestId }))
}

/** POST /privacy/dsar/portability: the dump as a file; the same bytes for the same Idempotency-Key for an hour. */
export async function answerPortability(call: WalletCall, input: KeyedInput): Promise<Reply> {
  const { text, isReplay } = await answerOnce(call, { kind: 'portability', input }, (save) => renderDump(call, save))
  const headers = {
    'content-disposition': `attachment; filename="${PORTABILITY_FILE}"`,
    ...(isReplay && { 'idempotent-replayed': 'true' }),
  }
  return Reply.renderedJson(text, { headers })
}

async function renderDump(call: WalletCall, save: SaveAnswer): Promise<string> {
  const text = JSON.stringify(await takeData(call))
  await save(call.platform.db, text)
  return text
}
