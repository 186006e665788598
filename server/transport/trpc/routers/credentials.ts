import { noInput } from '../../../base/contract/portal-procedure'
import { cancelOwnOffer, listOwnCredentials, readOwnOffer, revokeOwnCredential } from '../../../credentials/issuance'
import { offerOwnCredentialProcedure, ownCredentialProcedure } from '../../../credentials/issuance/contract'
import { offerCredential } from '../../../surfaces/portal'
import { t } from '../init'
import { portalMutation, portalQuery } from '../procedures'

export const credentialsRouter = t.router({
  list: portalQuery(noInput, listOwnCredentials),
  offer: portalMutation(offerOwnCredentialProcedure, offerCredential),
  offerState: portalQuery(ownCredentialProcedure, readOwnOffer),
  cancelOffer: portalMutation(ownCredentialProcedure, cancelOwnOffer),
  revoke: portalMutation(ownCredentialProcedure, revokeOwnCredential),
})
