import { operation } from '../../base/contract/endpoint'
import { makeDefaultCard as makeDefaultCardVerb, removeCard as removeCardVerb } from './change-card'
import {
  confirmSetupIntentEndpoint,
  createSetupIntentEndpoint,
  listCardsEndpoint,
  makeDefaultCardEndpoint,
  removeCardEndpoint,
} from './contract'
import { confirmSetupIntent as confirmSetupIntentVerb, createSetupIntent as createSetupIntentVerb } from './enrol-card'
import { listCards as listCardsVerb } from './list-cards'

export { agentCardSql, findPayingCard, isOwnCardRemovedSql, OWN_CARD_REMOVED } from './agent-card-store'
export { chooseAgentCard, releaseCards } from './choose-agent-card'
export { DETACH_JOB, detachCard } from './detach-card'
export { enrolCard } from './enrol-card'
export { eraseCards, FORGET_CUSTOMER_JOB, forgetCustomerOf } from './erase-cards'
export { cardsRevisionSql, findCardOfIntent, hasEverHadCard, savedCardsSql } from './store'
export { readStoredCards } from './stored-data'

/** GET /wallet/cards. */
export const listCards = operation(listCardsEndpoint, listCardsVerb)
/** POST /wallet/setup-intent. 502 when the processor cannot be reached. */
export const createSetupIntent = operation(createSetupIntentEndpoint, createSetupIntentVerb)
/** POST /wallet/setup-intent/confirm. 404 for an unknown or foreign intent; 502 when the processor cannot be reached. */
export const confirmSetupIntent = operation(confirmSetupIntentEndpoint, confirmSetupIntentVerb)
/** POST /wallet/cards/{card_id}/default. 404 for an unknown, removed or foreign card; 409 for one that is bound to an agent. */
export const makeDefaultCard = operation(makeDefaultCardEndpoint, makeDefaultCardVerb)
/** DELETE /wallet/cards/{card_id}. 404 for an unknown, removed or foreign card. */
export const removeCard = operation(removeCardEndpoint, removeCardVerb)
