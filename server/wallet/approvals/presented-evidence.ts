/** A purchase that a wallet app confirmed, with all that is needed to verify it later but the key that issued the credential. */
export interface PresentedEvidence {
  readonly method: 'wallet_presentation'
  /** The `jti` of the credential that was presented. */
  readonly credential_id: string
  /** SD-JWT VC, disclosures and key binding, as the wallet sent them. */
  readonly presentation: string
  /** As it was sent to the wallet, which hashed it: base64url. */
  readonly transaction_data: string
  /** What the key binding had to name: the nonce of the request and the client_id of this server. */
  readonly presentation_nonce: string
  readonly audience: string
  /** Thumbprint of the key that signed the key binding (RFC 7638). */
  readonly holder_jkt: string
}
