/** The path of the security activity. */
export const SECURITY_ACTIVITY_PATH = '/settings/security/activity'
