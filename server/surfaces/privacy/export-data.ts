import { Reply } from '../../base/contract/reply'
import type { WalletCall } from '../../base/core/call'
import { lockPrincipal } from '../../shared/principals'
import { answerPrivacyRequestOnce, type KeyedInput, type SaveAnswer } from './answer-once'
import { portabilityDump } from './dump-schema'
import { openRequest } from './open-request'
import { readPortability, readWalletOperator } from './read-portability'

export const PORTABILITY_FILE = 'countersign-portability.json'

/** Returns the portability dump as JSON, for the portal. */
export function renderPortabilityDump(call: WalletCall): Promise<string> {
  return renderDump(call, () => Promise.resolve())
}

/** POST /privacy/dsar/portability: the dump as a file; the same bytes for the same Idempotency-Key for an hour. */
export async function answerPortability(call: WalletCall, input: KeyedInput): Promise<Reply> {
  const { text, isReplay } = await answerPrivacyRequestOnce(call, { kind: 'portability', input }, (save) =>
    renderDump(call, save),
  )
  const headers = {
    'content-disposition': `attachment; filename="${PORTABILITY_FILE}"`,
    ...(isReplay && { 'idempotent-replayed': 'true' }),
  }
  return Reply.renderedJson(text, { headers })
}

/** Reads the dump, counts the request and stores a keyed answer, in one transaction. */
async function renderDump(call: WalletCall, save: SaveAnswer): Promise<string> {
  const { platform, actor } = call
  const walletOperator = await readWalletOperator(platform.db, actor.tenantId)
  return platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, actor.principalId)
    const requestId = await openRequest(tx, call, { kind: 'portability', result: 'exported' })
    const dump = await readPortability(tx, { ...actor, walletOperator, requestId })
    const text = JSON.stringify(portabilityDump.parse(dump))
    await save(tx, text)
    return text
  })
}
