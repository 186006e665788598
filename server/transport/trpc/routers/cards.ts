import { noInput } from '../../../base/contract/portal-procedure'
import { enrolTestCard, enrolTestCardProcedure, listTestCards, readEnrolment } from '../../../surfaces/portal'
import { confirmSetupIntent, createSetupIntent, listCards, makeDefaultCard, removeCard } from '../../../wallet/cards'
import { t } from '../init'
import { mutation, portalMutation, portalQuery, query } from '../procedures'

export const cardsRouter = t.router({
  list: query(listCards),
  enrolment: portalQuery(noInput, readEnrolment),
  testCards: portalQuery(noInput, listTestCards),
  enrolTestCard: portalMutation(enrolTestCardProcedure, enrolTestCard),
  beginEnrolment: mutation(createSetupIntent),
  finishEnrolment: mutation(confirmSetupIntent),
  makeDefault: mutation(makeDefaultCard),
  remove: mutation(removeCard),
})
