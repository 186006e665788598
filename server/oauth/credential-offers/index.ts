export { createCredentialOffer, findOpenOffer, type OfferToCreate, type OpenOffer } from './create-offer'
export { consumeCredentialNonce, findCredentialNonceEnd, newCredentialNonce } from './nonces'
export {
  buildNoCredentialError,
  buildTxCodeError,
  buildUnusableCodeError,
  checkTxCode,
  hashOpaque,
  isOpen,
} from './offer'
export {
  countBadProof,
  countWrongTxCode,
  endOfferAbout,
  endOwnOffers,
  eraseOffers,
  findOfferAbout,
  type LockedOffer,
  listOpenOfferEnds,
  lockOffer,
  type OfferRow,
  readStoredOffers,
  revokeToken,
  saveToken,
  spendOffer,
  sweepCredentialNonces,
  sweepOffers,
} from './store'
