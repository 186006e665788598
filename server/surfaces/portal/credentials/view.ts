/** An offer of a credential, as the portal shows it to the person who made it. */
export interface CredentialOfferView {
  readonly id: string
  /** Opens a wallet app on the same device. */
  readonly deep_link: string
  /** `deep_link` as a QR code, for a wallet app on another device. */
  readonly qr_svg: string
  /** What the wallet app asks for; no link holds it. */
  readonly tx_code: string
  readonly expires_at: string
}
