import countries from 'i18n-iso-countries/codes.json' with { type: 'json' }

/** Kosovo has no ISO 3166-1 code; XK is widely used but user-assigned. */
const USER_ASSIGNED = 'XK'

/** Every officially assigned alpha-2 code of ISO 3166-1, upper case. */
export const countryCodes: ReadonlySet<string> = new Set(
  countries.flatMap(([alpha2]) => (alpha2 === undefined || alpha2 === USER_ASSIGNED ? [] : [alpha2])),
)
