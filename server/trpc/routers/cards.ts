import { listCards, makeDefaultCard, removeCard } from '../../cards'
import { enrolTestCard, listTestCards } from '../../portal'
import { cardChoice, nothing, testCardChoice } from '../../portal/contract'
import { t } from '../init'
import { portalMutation, portalQuery, query } from '../procedures'

export const cardsRouter = t.router({
  list: query(listCards),
  testCards: portalQuery(nothing, listTestCards),
  enrolTestCard: portalMutation(testCardChoice, enrolTestCard),
  makeDefault: portalMutation(cardChoice, async (call, { id }) => {
    await makeDefaultCard(call, { card_id: id })
    return { ok: true as const }
  }),
  remove: portalMutation(cardChoice, async (call, { id }) => {
    await removeCard(call, { card_id: id })
    return { ok: true as const }
  }),
})
