import { retention } from '../../base/core/retention'
import type { Retention } from '../../base/core/retention-entry'
import { describePeriod } from './describe-period'

/** The information that GDPR Article 15(1) requires beside the data itself. */
export const aboutProcessing = {
  purposes: [
    'To let agents that the person connected pay on their behalf, within the rules that the person sets (Art. 6(1)(b)).',
    'To keep accounts of payments and to settle disputes, as the law demands (Art. 6(1)(c)).',
    'To protect the person and merchants from misuse: sign-in, audit chain, limits (Art. 6(1)(f)).',
  ],
  recipients: [
    'The card processor, which charges the card.',
    'The merchant whom the person or their agent pays, with the purchase and its receipt.',
    'The carriers of mail and phone messages.',
    'The agents that the person connected, with what they were allowed to read.',
  ],
  retention: Object.values<Retention>(retention).map((kind) => ({
    what: kind.what,
    kept: describePeriod(kind),
    why: kind.why,
  })),
  rights: [
    'Access, rectification, erasure, restriction, portability and objection: in the portal under Settings, Privacy, or under /privacy/dsar.',
    'To complain to a supervisory authority.',
    'No decision with legal effect is made by automated means alone: rules that the person sets apply, and the person may lift them.',
  ],
  source: 'The person, the agents that they connected, the wallet operator, and the card processor.',
} as const
