/** The id of the built-in wallet client, the tenant of everyone who signs in to the portal. */
export const PORTAL_TENANT_ID = 'portal'
