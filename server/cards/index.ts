import { operation } from '../contract/endpoint'
import { confirmSetupIntentEndpoint, createSetupIntentEndpoint, listCardsEndpoint } from './contract'
import { confirmSetupIntent as confirmSetupIntentVerb, createSetupIntent as createSetupIntentVerb } from './enrol-card'
import { listCards as listCardsVerb } from './list-cards'

export { askProcessor } from './ask-processor'
export { makeDefaultCard, removeCard } from './change-card'
export { enrolCard } from './enrol-card'

/** GET /wallet/cards. */
export const listCards = operation(listCardsEndpoint, listCardsVerb)
/** POST /wallet/setup-intent. 502 when the processor cannot be reached. */
export const createSetupIntent = operation(createSetupIntentEndpoint, createSetupIntentVerb)
/** POST /wallet/setup-intent/confirm. 404 for an unknown or foreign intent; 502 when the processor cannot be reached. */
export const confirmSetupIntent = operation(confirmSetupIntentEndpoint, confirmSetupIntentVerb)
