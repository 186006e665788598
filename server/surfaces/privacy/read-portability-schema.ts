import * as z from 'zod'
import { Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { PORTABILITY_SCHEMA_PATH } from './contract'
import { portabilityDump } from './dump-schema'

const MEDIA_TYPE = 'application/schema+json'
const HEADERS = { 'cache-control': 'public, max-age=3600' }

/** GET /privacy/dsar/portability-schema.json, made from the schema of the dump, so that the two cannot differ. */
export async function readPortabilitySchema({ platform }: AnonymousCall): Promise<Reply> {
  const { $schema, ...schema } = z.toJSONSchema(portabilityDump, { target: 'draft-2020-12', io: 'output' })
  const $id = `${platform.config.baseUrl}${PORTABILITY_SCHEMA_PATH}`
  const text = JSON.stringify({ $schema, $id, title: 'Portability dump', ...schema })
  return Reply.text(text, MEDIA_TYPE, { headers: HEADERS })
}
