import * as z from 'zod'
import { requireIssuerUrl } from '../client/issuer.js'
import { CountersignError } from '../errors.js'

/** `as_url`: an address that may be that of an authorization server. */
export const asUrl = z
  .url()
  .superRefine((url, context) => {
    try {
      requireIssuerUrl(url)
    } catch (error) {
      const message = error instanceof CountersignError ? error.message : 'not a URL'
      context.addIssue({ code: 'custom', message })
    }
  })
  .describe('Base URL of the authorization server; a wrong one is refused by naming the one in use')

/** `principal_token` of the tools that act for the person. */
export const principalToken = z
  .string()
  .min(1)
  .describe(
    "Pass `session:default`: the tool asks the user itself. Or a token of the user's wallet session, if you have one",
  )

/** `redirect_uri`: the address to which a confirmation by e-mail returns. */
export const redirectUri = z
  .url()
  .describe('A redirect URI of the registration: http://127.0.0.1:8765/oid4ac/callback unless another was registered')

/** `redirect_uris` of a registration. */
export const redirectUris = z
  .array(z.url())
  .min(1)
  .describe('Redirect URIs of this agent; http://127.0.0.1:8765/oid4ac/callback unless the user names another')

/** The arguments that say how the person is asked for access. */
export const wayOfAsking = {
  as_url: asUrl,
  resource: z.url().describe('The same as as_url: the access is for the authorization server itself'),
  redirect_uri: redirectUri,
}

const isoInstant = z.iso.datetime({ offset: true })

/** An instant with any offset. Hosts get only its format, since its pattern is long. */
const instant = z
  .string()
  .refine((text) => isoInstant.safeParse(text).success, { error: 'must be a date with time and offset' })
  .meta({ format: 'date-time' })

/** The arguments that limit a list. */
export const range = {
  from_iso: instant
    .optional()
    .describe('From this instant on, e.g. 2026-11-23T00:00:00Z; from the beginning if left out'),
  to_iso: instant.optional().describe('Up to and including this instant; until now if left out'),
}

/** Returns a query string of the members that are not undefined. */
export function queryOf(members: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query}`
}
