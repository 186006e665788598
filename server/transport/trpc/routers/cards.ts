import { noInput } from '../../../base/contract/portal-procedure'
import {
  beginEnrolment,
  beginEnrolmentProcedure,
  enrolTestCard,
  enrolTestCardProcedure,
  listTestCards,
  readEnrolment,
} from '../../../surfaces/portal'
import { confirmSetupIntent, listCards, makeDefaultCard, removeCard } from '../../../wallet/cards'
import { chooseCardProcedure } from '../../../wallet/cards/contract'
import { t } from '../init'
import { mutation, portalMutation, portalQuery, query } from '../procedures'

export const cardsRouter = t.router({
  list: query(listCards),
  enrolment: portalQuery(noInput, readEnrolment),
  testCards: portalQuery(noInput, listTestCards),
  enrolTestCard: portalMutation(enrolTestCardProcedure, enrolTestCard),
  beginEnrolment: portalMutation(beginEnrolmentProcedure, beginEnrolment),
  finishEnrolment: mutation(confirmSetupIntent),
  makeDefault: portalMutation(chooseCardProcedure, makeDefaultCard.verb),
  remove: mutation(removeCard),
})
