/** An age that the person has proven. */
export interface AgeProofView {
  readonly age: number
  /** `credential`: one of this wallet's own issuer; `presentation`: one of another. */
  readonly source: 'presentation' | 'credential'
  readonly issuer: string
  readonly proven_at: string
  readonly expires_at: string
  readonly status: 'valid' | 'ended'
}

export interface AgeView {
  /** Whether the operator has said whose credentials count; nobody can prove an age before. */
  readonly offered: boolean
  readonly proofs: readonly AgeProofView[]
}

/** A request that a wallet app answers. */
export interface AgeRequestView {
  readonly id: string
  /** Opens a wallet app. */
  readonly link: string
  /** `link` as a QR code. */
  readonly qr_svg: string
  readonly expires_at: string
}

/** How a request stands; `refused` covers what a wallet app refused and what did not verify. */
export interface AgeRequestStatus {
  readonly status: 'pending' | 'verified' | 'refused' | 'expired'
  /** The code of what was wrong with an answer. */
  readonly error: string | null
}
