/** Where the security activity is shown. */
export const SECURITY_ACTIVITY_PATH = '/settings/security/activity'
