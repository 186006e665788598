/** An offer of a credential, as the portal shows it to the person who made it. */
export interface CredentialOfferView {
  readonly id: string
  /** The link that opens a wallet app on the same device. */
  readonly deep_link: string
  /** `deep_link` as a QR code, for a wallet app on another device. */
  readonly qr_svg: string
  /** The transaction code that the wallet app asks for; the link does not contain it. */
  readonly tx_code: string
  readonly expires_at: string
}
