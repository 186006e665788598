import { confirmSetupIntent, createSetupIntent, listCards, makeDefaultCard, removeCard } from '../../cards'
import { enrolTestCard, listTestCards, readEnrolment } from '../../portal'
import { nothing, testCardChoice } from '../../portal/contract'
import { t } from '../init'
import { mutation, portalMutation, portalQuery, query } from '../procedures'

export const cardsRouter = t.router({
  list: query(listCards),
  enrolment: portalQuery(nothing, readEnrolment),
  testCards: portalQuery(nothing, listTestCards),
  enrolTestCard: portalMutation(testCardChoice, enrolTestCard),
  beginEnrolment: mutation(createSetupIntent),
  finishEnrolment: mutation(confirmSetupIntent),
  makeDefault: mutation(makeDefaultCard),
  remove: mutation(removeCard),
})
