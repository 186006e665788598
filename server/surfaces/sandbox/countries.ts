import countries from 'i18n-iso-countries/codes.json' with { type: 'json' }

/** Kosovo has no code of ISO 3166-1; XK is in wide use, but assigned by its users. */
const USER_ASSIGNED = 'XK'

/** Every officially assigned alpha-2 code of ISO 3166-1, upper case. */
export const countryCodes: ReadonlySet<string> = new Set(
  countries.flatMap(([alpha2]) => (alpha2 === undefined || alpha2 === USER_ASSIGNED ? [] : [alpha2])),
)
