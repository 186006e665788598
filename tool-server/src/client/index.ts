export { mintKey, type PrivateKeyJwk } from '../crypto/keys.js'
export type { ExpectedMandate, VerifiedMandate } from '../crypto/mandate.js'
export type { ExpectedReceipt } from '../crypto/receipt.js'
export { AddressRefused, Cancelled, CountersignError, Refusal, TransportFailure } from '../errors.js'
export type { AuthorizeOutcome, AuthorizeRequest } from './authorize.js'
export { CountersignClient, type CountersignClientOptions } from './countersign-client.js'
export type { ConsentStatus, PushedRequest } from './par.js'
export type { RegisterRequest } from './register.js'
export type { SettleRequest } from './settle.js'
export type { CodeExchange, TokenRequest } from './token.js'
export type { AuditQuery, PaymentQuery, PrivacyAccess } from './wallet.js'
export type { WalletAccess } from './wallet-access.js'
export type {
  AccessRequested,
  AgentRecord,
  AgentRevoked,
  AuditChain,
  ParReply,
  PaymentHistory,
  PortabilityDump,
  RegistrationReply,
  SettlementReply,
  TokenReply,
} from './wire.js'
