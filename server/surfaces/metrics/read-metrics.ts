import { Reply } from '../../base/contract/reply'
import type { OperatorCall } from '../../base/core/call'
import { readStates } from './read-states'

/** GET /metrics: what this server counts and times, and states of the whole installation. It answers without a database. */
export async function readMetrics({ platform }: OperatorCall): Promise<Reply> {
  const { text, contentType } = await platform.telemetry.report(await readStates(platform))
  return Reply.text(text, contentType)
}
