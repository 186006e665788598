import * as z from 'zod'

/** Answers of the authorization server, as far as this package reads them. Unknown members are let pass or dropped. */

/** @see {@link https://www.rfc-editor.org/rfc/rfc8414#section-2} */
export const serverMetadata = z.object({ issuer: z.string() })

/** @see {@link https://www.rfc-editor.org/rfc/rfc7517#section-5} */
export const jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

/** @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-3.2.1} */
export const registrationReply = z.object({
  client_id: z.string().min(1),
  registration_access_token: z.string().optional(),
  principal_id: z.string().optional(),
  scope: z.string().optional(),
})

/** What the server knows of a new client. */
export type RegistrationReply = z.infer<typeof registrationReply>

/** @see {@link https://www.rfc-editor.org/rfc/rfc9126#section-2.2} */
export const parReply = z.object({ request_uri: z.string().min(1), expires_in: z.int().positive() })

/** A pushed request. */
export type ParReply = z.infer<typeof parReply>

/** The person's decision. */
export const statusReply = z.object({ status: z.enum(['approved', 'pending', 'declined']) })

/** @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-5.1} */
export const tokenReply = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^dpop$/i),
  expires_in: z.int().positive(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
  authorization_details: z.array(z.looseObject({ type: z.string() })).optional(),
  mandate_jwt: z.string().min(1).optional(),
  mandate_id: z.string().min(1).optional(),
})

/** Tokens, and the mandate of a payment. */
export type TokenReply = z.infer<typeof tokenReply>

/** A settled payment. Further members are passed on. */
export const settlementReply = z.looseObject({
  settlement_id: z.string().min(1),
  status: z.string(),
  mandate_id: z.string().optional(),
  amount_minor: z.int().optional(),
  currency: z.string().optional(),
  receipt_jws: z.string().min(1),
})

/** A settled payment. */
export type SettlementReply = z.infer<typeof settlementReply>
