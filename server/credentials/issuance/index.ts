import { operation } from '../../base/contract/endpoint'
import {
  createNonceEndpoint,
  createOfferEndpoint,
  issueCredentialEndpoint,
  readAgeVerifiedBuyerTypeEndpoint,
  readIssuerMetadataEndpoint,
  readOfferEndpoint,
  readServiceMandateTypeEndpoint,
  revokeCredentialEndpoint,
} from './contract'
import { createNonce, createOffer, readOffer } from './create-offer'
import { readAgeVerifiedBuyerType, readIssuerMetadata, readServiceMandateType } from './credential-types'
import { issueCredential as issue } from './issue-credential'
import { revokeCredential as revoke } from './revoke-credential'

export const createCredentialOffer = operation(createOfferEndpoint, createOffer)
export const readCredentialOffer = operation(readOfferEndpoint, readOffer)
export const createCredentialNonce = operation(createNonceEndpoint, createNonce)
export const issueCredential = operation(issueCredentialEndpoint, issue)
export const revokeCredential = operation(revokeCredentialEndpoint, revoke)
export const credentialIssuerMetadata = operation(readIssuerMetadataEndpoint, readIssuerMetadata)
export const serviceMandateTypeMetadata = operation(readServiceMandateTypeEndpoint, readServiceMandateType)
export const ageVerifiedBuyerTypeMetadata = operation(readAgeVerifiedBuyerTypeEndpoint, readAgeVerifiedBuyerType)

export { credentialType, issuerMetadata } from './credential-types'
export { endWalletAppsSince } from './end-wallet-apps'
export { listOwnCredentials } from './list-own-credentials'
export { offerOwnCredential } from './offer-own-credential'
export { hasOwnMandate, lockOwnMandate } from './own-mandates'
export { cancelOwnOffer, readOwnOffer } from './own-offer'
export { revokeOwnCredential } from './revoke-own-credential'
export {
  credentialsRevisionSql,
  endErasedCredentials,
  eraseIssuedCredentials,
  findCredentialOwner,
  readStoredCredentials,
  sweepIssuedCredentials,
} from './store'
