/** An age that the person has proven. */
export interface AgeProofView {
  readonly age: number
  /** The credential that proved it: `credential` for one of this server, `presentation` for one of another issuer. */
  readonly source: 'presentation' | 'credential'
  readonly issuer: string
  readonly proven_at: string
  readonly expires_at: string
  readonly status: 'valid' | 'ended'
}

export interface AgeView {
  /** Whether the person can prove an age here: issuers are trusted, and wallet apps can be asked and answer. */
  readonly offered: boolean
  readonly proofs: readonly AgeProofView[]
}

/** A request that a wallet app answers. */
export interface AgeRequestView {
  readonly id: string
  /** The link that opens a wallet app. */
  readonly link: string
  /** `link` as a QR code. */
  readonly qr_svg: string
  readonly expires_at: string
}

/** The state of a request; `refused` when the wallet app refused, or its answer was not valid. */
export interface AgeRequestStatus {
  readonly status: 'pending' | 'verified' | 'refused' | 'expired'
  /** The error code of a refused answer; null otherwise. */
  readonly error: string | null
}
