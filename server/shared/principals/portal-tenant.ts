/** The built-in wallet client: the tenant of everybody who signs in to the portal. */
export const PORTAL_TENANT_ID = 'portal'
