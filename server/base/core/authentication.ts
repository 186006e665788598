/** How a person confirmed what a token allows: by passkey, by a mailed link, or in advance by one of their rules. */
export const acrs = ['phr', 'mail', 'rule'] as const
export type Acr = (typeof acrs)[number]

/** Returns the wire value of an `acr`. @see {@link https://www.rfc-editor.org/rfc/rfc9470#section-3} */
export const acrValue = (acr: Acr): string => `urn:oid4ac:acr:${acr}`

/** How and when a person was last authenticated for something. */
export interface Authentication {
  readonly acr: Acr
  readonly authTime: Date
}
