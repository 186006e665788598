import { createDpopProof } from '../crypto/dpop.js'
import { createPresentation, type PresentationTarget } from '../crypto/key-binding.js'
import { importKey, type PrivateKeyJwk } from '../crypto/keys.js'
import { type ExpectedMandate, type VerifiedMandate, verifyMandate } from '../crypto/mandate.js'
import { checkMerchantReceipt, type ExpectedReceipt, verifyReceipt } from '../crypto/receipt.js'
import { CountersignError } from '../errors.js'
import { isLoopbackUrl } from '../http/address-guard.js'
import { createOutbound, type SendRequest } from '../http/outbound.js'
import { type AuthorizeOutcome, type AuthorizeRequest, authorize } from './authorize.js'
import { toIssuer } from './issuer.js'
import { type ConsentStatus, type PushedRequest, pushRequest, readStatus } from './par.js'
import { type RegisterRequest, registerClient } from './register.js'
import { Session } from './session.js'
import { type SettleRequest, settle } from './settle.js'
import { type CodeExchange, prepareExchange, prepareRefresh, requestTokens, type TokenRequest } from './token.js'
import {
  type AuditQuery,
  exportData,
  listAgents,
  type PaymentQuery,
  type PrivacyAccess,
  readAuditChain,
  readPaymentHistory,
  requestAccess,
  revokeAgent,
} from './wallet.js'
import type { WalletAccess } from './wallet-access.js'
import type {
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

/** The identity of the client and its authorization server. */
export interface CountersignClientOptions {
  /** URL of the authorization server; its issuer must be the same. */
  readonly asUrl: string
  /** Private Ed25519 JWK that tokens and mandates are bound to (RFC 9449). */
  readonly dpopKey: PrivateKeyJwk
  /** Private Ed25519 JWK that authenticates the client (RFC 7523). */
  readonly assertionKey: PrivateKeyJwk
  /** The client_id of an earlier registration; {@link CountersignClient.register} sets it too. */
  readonly clientId?: string | undefined
}

/**
 * The agent's side of the authorization server's protocol: register, push a request, wait for the decision, redeem it,
 * settle. Every method that sends takes an optional signal that cancels it; pushed requests and token requests can be
 * cancelled only until they are sent. Failures are {@link CountersignError}s; an error response is a `Refusal` with
 * status and code.
 */
export class CountersignClient {
  /** Identifier of the authorization server. */
  readonly issuer: string
  /** Thumbprint of the DPoP key (RFC 7638). */
  readonly jkt: string
  readonly #session: Session
  #clientId: string | undefined

  constructor(options: CountersignClientOptions) {
    this.issuer = toIssuer(options.asUrl)
    const dpopKey = importKey(options.dpopKey, 'dpopKey')
    const assertionKey = importKey(options.assertionKey, 'assertionKey')
    const send: SendRequest = createOutbound({ allowLoopback: isLoopbackUrl(this.issuer), ownServer: this.issuer })
    this.jkt = dpopKey.thumbprint
    this.#session = new Session({ issuer: this.issuer, dpopKey, assertionKey, send })
    this.#clientId = options.clientId
  }

  /** The client_id, once registered. */
  get clientId(): string {
    if (this.#clientId === undefined) throw new CountersignError('agent not registered yet')
    return this.#clientId
  }

  /** Registers the agent with a setup token. @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-3.1} */
  async register(request: RegisterRequest, signal?: AbortSignal): Promise<RegistrationReply> {
    const reply = await registerClient(this.#session, request, signal)
    this.#clientId = reply.client_id
    return reply
  }

  /** Pushes a request for authority. @see {@link https://www.rfc-editor.org/rfc/rfc9126#section-2} */
  pushAuthorizationRequest(request: PushedRequest, signal?: AbortSignal): Promise<ParReply> {
    return pushRequest(this.#session, this.clientId, { request, signal })
  }

  /** Returns the decision about a pushed request. */
  status(requestUri: string, signal?: AbortSignal): Promise<ConsentStatus> {
    return readStatus(this.#session, requestUri, signal)
  }

  /**
   * Redeems an approved request for an authorization code; the request is consumed in every case.
   * @see {@link https://www.rfc-editor.org/rfc/rfc9207#section-2}
   */
  authorize(request: AuthorizeRequest, signal?: AbortSignal): Promise<AuthorizeOutcome> {
    return authorize(this.#session, this.clientId, { request, signal })
  }

  /** Redeems a code for tokens and, for a payment, the mandate. */
  async exchangeCode(exchange: CodeExchange, signal?: AbortSignal): Promise<TokenReply> {
    return this.requestTokens(await this.prepareExchange(exchange), signal)
  }

  /** Rotates a refresh token. */
  async refresh(refreshToken: string, signal?: AbortSignal): Promise<TokenReply> {
    return this.requestTokens(await this.prepareRefresh(refreshToken), signal)
  }

  /**
   * Prepares the request of {@link exchangeCode}: stored until its response has arrived, it can be repeated if that is
   * lost.
   */
  prepareExchange(exchange: CodeExchange): Promise<TokenRequest> {
    return prepareExchange(this.#session, this.clientId, exchange)
  }

  /** Prepares the request of {@link refresh}, to be stored in the same way. */
  prepareRefresh(refreshToken: string): Promise<TokenRequest> {
    return prepareRefresh(this.#session, this.clientId, refreshToken)
  }

  /** Sends a prepared request, or repeats it: while its tokens are valid the response is the same. */
  requestTokens(request: TokenRequest, signal?: AbortSignal): Promise<TokenReply> {
    return requestTokens(this.#session, request, signal)
  }

  /** Settles a mandate, once; repeat it with the same idempotency key while the outcome is unknown. */
  settle(request: SettleRequest, accessToken: string, signal?: AbortSignal): Promise<SettlementReply> {
    return settle(this.#session, accessToken, { request, signal })
  }

  /** Checks that a mandate is genuine, bound to this client's key, and for this merchant and amount. */
  verifyMandate(
    mandate: string,
    expected: Omit<ExpectedMandate, 'issuer' | 'jkt'>,
    signal?: AbortSignal,
  ): Promise<VerifiedMandate> {
    const keys = this.#session.verificationKeys(signal)
    return verifyMandate(mandate, keys, { ...expected, issuer: this.issuer, jkt: this.jkt })
  }

  /** Checks that a settlement receipt is genuine and about this payment. */
  verifyReceipt(receipt: string, expected: Omit<ExpectedReceipt, 'issuer'>, signal?: AbortSignal): Promise<void> {
    return verifyReceipt(receipt, this.#session.verificationKeys(signal), { ...expected, issuer: this.issuer })
  }

  /**
   * Checks a receipt from a merchant. Returns true when the authorization server signed it, and false for the
   * merchant's own, of which only the form is checked.
   * @throws CountersignError when it is neither, or about another payment
   */
  checkMerchantReceipt(
    receipt: string,
    expected: Omit<ExpectedReceipt, 'issuer'>,
    signal?: AbortSignal,
  ): Promise<boolean> {
    return checkMerchantReceipt(receipt, this.#session.verificationKeys(signal), { ...expected, issuer: this.issuer })
  }

  /**
   * Returns the mandate for one merchant: without the claims that it need not know, with a key binding to its nonce.
   * @example
   * const presentation = await client.present(tokens.mandate_jwt, { audience: 'https://shop.example', nonce })
   */
  present(mandate: string, target: PresentationTarget): Promise<string> {
    return createPresentation(this.#session.dpopKey, mandate, target)
  }

  /**
   * Returns a DPoP proof for a merchant (RFC 9449).
   * @example
   * const dpop = await client.prove({ method: 'POST', url: 'https://shop.example/payments', nonce })
   */
  prove(target: { readonly method: string; readonly url: string; readonly nonce: string }): Promise<string> {
    return createDpopProof(this.#session.dpopKey, target)
  }

  /** Returns the person's agents, newest first. Scope `wallet:read`. */
  listAgents(access: WalletAccess, signal?: AbortSignal): Promise<AgentRecord[]> {
    return listAgents(this.#session, { access, signal })
  }

  /** Revokes an agent, this one or another of the same person. Repeating is safe. Scope `wallet:write`. */
  revokeAgent(clientId: string, access: WalletAccess, signal?: AbortSignal): Promise<AgentRevoked> {
    return revokeAgent(this.#session, clientId, { access, signal })
  }

  /** Returns audit entries about the person, newest first. Scope `audit:read`. */
  auditChain(query: AuditQuery, access: WalletAccess, signal?: AbortSignal): Promise<AuditChain> {
    return readAuditChain(this.#session, query, { access, signal })
  }

  /** Returns the person's payments, newest first. Scope `audit:read`. */
  paymentHistory(query: PaymentQuery, access: WalletAccess, signal?: AbortSignal): Promise<PaymentHistory> {
    return readPaymentHistory(this.#session, query, { access, signal })
  }

  /** Requests a copy of everything stored about the person, sent by e-mail (GDPR article 15). Scope `privacy:dsar`. */
  requestAccess(access: PrivacyAccess, signal?: AbortSignal): Promise<AccessRequested> {
    return requestAccess(this.#session, { access, signal })
  }

  /** Returns the person's data in a portable form (GDPR article 20). Scope `privacy:dsar`. */
  exportData(access: PrivacyAccess, signal?: AbortSignal): Promise<PortabilityDump> {
    return exportData(this.#session, { access, signal })
  }
}
