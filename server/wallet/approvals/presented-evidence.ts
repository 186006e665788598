/**
 * The evidence of a purchase that a wallet app confirmed: everything that verifies it later, except the issuer's key.
 */
export interface PresentedEvidence {
  readonly method: 'wallet_presentation'
  /** The `jti` of the credential that was presented. */
  readonly credential_id: string
  /** SD-JWT VC, disclosures and key binding, as the wallet sent them. */
  readonly presentation: string
  /** The transaction data as sent to the wallet, which hashed it; base64url. */
  readonly transaction_data: string
  /** The nonce of the request and, in `audience`, this server's client_id: the key binding must contain both. */
  readonly presentation_nonce: string
  readonly audience: string
  /** Thumbprint of the key that signed the key binding (RFC 7638). */
  readonly holder_jkt: string
}
