import type { Kind } from './fuzz'
import { presentations } from './presentations'
import { proofs } from './proofs'
import { queries, requestObjects } from './requests'
import { responses } from './responses'
import { statusLists } from './status-lists'
import { vpTokens } from './vp-tokens'

/** All kinds of input, by the names that `--kinds` takes. */
export const allKinds: Readonly<Record<string, Kind>> = {
  presentations,
  'vp-tokens': vpTokens,
  proofs,
  queries,
  'request-objects': requestObjects,
  responses,
  'status-lists': statusLists,
}
