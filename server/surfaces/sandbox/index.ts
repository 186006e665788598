import { operation } from '../../base/contract/endpoint'
import {
  chargeMandateEndpoint,
  issueMerchantNonceEndpoint,
  issueTestNonceEndpoint,
  listMerchantsEndpoint,
  listSandboxCardsEndpoint,
  placeOrderEndpoint,
  previewCatalogEndpoint,
  readCatalogEndpoint,
  readMerchantJwksEndpoint,
  readOutboxEndpoint,
  readShopEndpoint,
  reportSettlementEndpoint,
  verifyAtMerchantEndpoint,
  verifyMandateEndpoint,
} from './contract'
import { issueMerchantNonce, issueTestNonce } from './issue-nonces'
import { listSandboxCards } from './list-cards'
import { listMerchants } from './list-merchants'
import { placeOrder } from './place-order'
import { previewCatalog } from './preview-catalog'
import { readCatalog, readMerchantJwks } from './read-catalog'
import { readOutbox } from './read-outbox'
import { readShop } from './read-shop'
import { reportSettlement } from './report-settlement'
import { chargeMandate, verifyAtMerchant, verifyMandate } from './verify-mandate'

export { sealedMerchantKeys } from './merchant-keys'
export { listSandboxShops } from './merchants'
export { consumeNonce, issueNonce, sweepSandboxNonces } from './nonces'
export { seedSandboxMerchants } from './seed-merchants'

/** GET /sandbox/merchants/{merchant_id}: a page, or JSON where `Accept` asks for it. */
export const sandboxShop = operation(readShopEndpoint, readShop)
/** GET /sandbox/merchants/{merchant_id}/.well-known/oid4ac-catalog, signed in its headers. */
export const sandboxCatalog = operation(readCatalogEndpoint, readCatalog)
/** GET /sandbox/merchants/{merchant_id}/jwks.json. */
export const sandboxMerchantJwks = operation(readMerchantJwksEndpoint, readMerchantJwks)
/** GET /sandbox/merchants/{merchant_id}/nonce. */
export const sandboxMerchantNonce = operation(issueMerchantNonceEndpoint, issueMerchantNonce)
/** POST /sandbox/merchants/{merchant_id}/payments: 201 for a new order, 200 for a known one; 401 challenges for a nonce. */
export const sandboxOrder = operation(placeOrderEndpoint, placeOrder)
/** POST /sandbox/merchants/{merchant_id}/payments/{order_id}/settlement. 422 for a receipt of something else. */
export const sandboxSettlementReport = operation(reportSettlementEndpoint, reportSettlement)
/** POST /sandbox/merchants/{merchant_id}/verify-mandate. */
export const sandboxVerifyMandate = operation(verifyAtMerchantEndpoint, verifyAtMerchant)
/** GET /merchant_test/nonce. */
export const testNonce = operation(issueTestNonceEndpoint, issueTestNonce)
/** POST /merchant_test/verify-mandate. 422 with a mandate code; refusals of the settlement are passed on unchanged. */
export const testVerifyMandate = operation(verifyMandateEndpoint, verifyMandate)
/** POST /merchant_test/charge. */
export const testCharge = operation(chargeMandateEndpoint, chargeMandate)
/** GET /discovery/merchants. 400 invalid_filter. */
export const directoryMerchants = operation(listMerchantsEndpoint, listMerchants)
/** GET /discovery/merchants/{merchant_id}/catalog-preview. */
export const directoryCatalogPreview = operation(previewCatalogEndpoint, previewCatalog)
/** GET /sandbox/cards. */
export const sandboxCards = operation(listSandboxCardsEndpoint, listSandboxCards)
/** GET /sandbox/outbox. */
export const sandboxOutbox = operation(readOutboxEndpoint, readOutbox)
