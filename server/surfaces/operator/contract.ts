import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import {
  currencyCode,
  identifier,
  mailAddress,
  pathId,
  plainLine,
  text,
  timestamp,
  visibleAscii,
} from '../../base/contract/wire'
import { keyPurposes, switchNames } from '../../base/core/platform'
import { canonicalAudience } from '../../base/protocol/audience'
import { URI_MAX_CHARS } from '../../base/protocol/lifetimes'
import { ageInYears } from '../../wallet/age-proofs/contract'
import { refusals } from '../../wallet/enrolments/contract'

/** The members that all operator endpoints share. */
export const common = { tag: 'Operator', access: { actor: 'operator' }, refusal: 'validation' } as const

const NAME_MAX_CHARS = 200
const PAGE_SIZE_DEFAULT = 50
const PAGE_SIZE_MAX = 100
const PAGE_MAX = 1_000_000
const RAILS_MAX = 20

/** One line of text that is not blank. */
const name = plainLine(NAME_MAX_CHARS).min(1)
/** An identifier in a body. */
export const bodyId = identifier(255)
/** Space-separated scopes; which of them are known is checked by the verb. */
export const scopeList = text(1_024)
/** A JSON object whose members a protocol function checks. */
export const jsonObject = z.record(z.string(), z.unknown())

const switchState = z
  .strictObject({
    name: z.enum(switchNames),
    enabled: z.boolean(),
    default: z.boolean().meta({ description: 'What the environment says; holds until somebody sets the switch.' }),
  })
  .meta({ id: 'Switch' })

export const listSwitchesEndpoint = defineEndpoint({
  ...common,
  operationId: 'listSwitches',
  method: 'GET',
  path: '/operator/switches',
  summary: 'List the kill switches and their states',
  output: z.strictObject({ switches: z.array(switchState) }).meta({ id: 'Switches' }),
})

export const setSwitchEndpoint = defineEndpoint({
  ...common,
  operationId: 'setSwitch',
  method: 'PUT',
  path: '/operator/switches/{name}',
  summary: 'Switch a feature on or off, in every process within a second',
  params: z.object({ name: z.enum(switchNames) }),
  body: { kind: 'json', schema: z.strictObject({ enabled: z.boolean() }).meta({ id: 'SwitchRequest' }) },
  output: switchState,
  refusals: ['not_found'],
})

export const createWalletClientEndpoint = defineEndpoint({
  ...common,
  operationId: 'createWalletClient',
  method: 'POST',
  path: '/operator/wallet-clients',
  summary: 'Register a wallet client, which becomes a tenant',
  body: {
    kind: 'json',
    schema: z
      .strictObject({
        name,
        jwks: jsonObject.meta({ description: 'Public Ed25519 keys (RFC 7517).' }),
        scope: scopeList.optional().meta({ description: 'Space-separated; `audit:read` when absent.' }),
      })
      .meta({ id: 'WalletClientRequest' }),
  },
  output: z.strictObject({ client_id: z.string() }).meta({ id: 'CreatedWalletClient' }),
  status: 201,
  refusals: ['invalid_scope'],
})

export const createPrincipalEndpoint = defineEndpoint({
  ...common,
  operationId: 'createPrincipal',
  method: 'POST',
  path: '/operator/principals',
  summary: 'Create a person under a wallet client',
  body: {
    kind: 'json',
    schema: z
      .strictObject({
        wallet_client_id: bodyId,
        email: mailAddress.optional(),
        display_name: name.optional(),
        currency: currencyCode
          .optional()
          .meta({ description: 'Of the limits to start with; DEFAULT_CURRENCY if absent.' }),
      })
      .meta({ id: 'PrincipalRequest' }),
  },
  output: z.strictObject({ principal_id: z.string() }).meta({ id: 'CreatedPrincipal' }),
  status: 201,
  refusals: ['not_found', 'conflict'],
})

/** An audience in its canonical form, so that no other spelling of a merchant evades a rule. */
const merchantAudience = z
  .string()
  .max(URI_MAX_CHARS)
  .transform((url, context) => {
    try {
      return canonicalAudience(url)
    } catch {
      context.addIssue({
        code: 'custom',
        message: 'must be an absolute https URL without userinfo, query and fragment',
      })
      return z.NEVER
    }
  })

const unique = (list: readonly string[]) => new Set(list).size === list.length

const merchantFields = {
  merchant_audience: merchantAudience,
  business_name: name,
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, { error: 'must be an ISO 3166-1 alpha-2 code in upper case' })
    .meta({ example: 'IE' }),
  accepts_currency: z.array(currencyCode).min(1).max(200).refine(unique, { error: 'names a currency twice' }),
  accepts_rail: z
    .array(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, { error: 'must be a short name in lower case' }))
    .min(1)
    .max(RAILS_MAX)
    .refine(unique, { error: 'names a rail twice' })
    .meta({ example: ['card'] }),
  verification_status: z.enum(['verified', 'pending', 'suspended']),
  connected_account_id: visibleAscii().nullable(),
  max_application_fee_bps: z.int().min(0).max(10_000).meta({
    description: 'How much of a payment may go to a platform as its fee, in hundredths of a percent.',
    example: 250,
  }),
  contact_email: mailAddress.nullable().meta({
    description: 'Is mailed when account, fee, federation entity or this address change; only the operator sees it.',
  }),
  min_age: ageInYears.nullable().meta({
    description: 'The age that buyers must have proven in their wallet; null: anybody may buy.',
  }),
  federation_entity_id: z.string().min(1).max(URI_MAX_CHARS).nullable().meta({
    description:
      'The entity of the federation that vouches for the merchant: it is verified as long as that one holds the mark of verified merchants, and unless `verification_status` is `suspended`.',
    example: 'https://shop.example',
  }),
}

const createMerchantBody = z
  .strictObject({
    ...merchantFields,
    accepts_rail: merchantFields.accepts_rail.default(['card']),
    verification_status: merchantFields.verification_status.default('pending'),
    connected_account_id: merchantFields.connected_account_id.default(null),
    contact_email: merchantFields.contact_email.default(null),
    federation_entity_id: merchantFields.federation_entity_id.default(null),
    min_age: merchantFields.min_age.default(null),
    max_application_fee_bps: merchantFields.max_application_fee_bps.optional().meta({
      description: 'In hundredths of a percent. When absent 0, in a sandbox 1000.',
    }),
  })
  .meta({ id: 'MerchantRequest' })

const federationStatus = z
  .strictObject({
    status: z.enum(['verified', ...refusals]),
    since: timestamp,
    checked_at: timestamp.nullable(),
    verified_until: timestamp.nullable().meta({ description: 'Unless it is checked again before.' }),
  })
  .meta({ id: 'FederationStatus' })

const merchant = z
  .strictObject({
    id: z.string(),
    merchant_audience: z.string(),
    business_name: z.string(),
    country: z.string(),
    accepts_currency: z.array(z.string()),
    accepts_rail: z.array(z.string()),
    verification_status: merchantFields.verification_status,
    verified_at: timestamp.nullable(),
    connected_account_id: z.string().nullable(),
    max_application_fee_bps: z.int(),
    contact_email: z.string().nullable(),
    federation_entity_id: z.string().nullable(),
    federation: federationStatus.nullable().meta({ description: 'Null without a `federation_entity_id`.' }),
    min_age: z.int().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'OperatorMerchant' })
export type Merchant = z.output<typeof merchant>

export const resetPasskeysEndpoint = defineEndpoint({
  ...common,
  operationId: 'resetPasskeys',
  method: 'POST',
  path: '/operator/principals/{principal_id}/passkeys/reset',
  summary: 'Remove all passkeys of a person who lost them, end their portal sessions and mail them',
  params: z.object({ principal_id: pathId }),
  output: z
    .strictObject({ principal_id: z.string(), passkeys_removed: z.int(), sessions_ended: z.int() })
    .meta({ id: 'ResetPasskeys' }),
  refusals: ['not_found'],
})

export const createMerchantEndpoint = defineEndpoint({
  ...common,
  operationId: 'createMerchant',
  method: 'POST',
  path: '/operator/merchants',
  summary: 'Add a merchant to the directory',
  body: { kind: 'json', schema: createMerchantBody },
  output: merchant,
  status: 201,
  refusals: ['conflict'],
})

/** Returns the schema of a whole number in a query string. */
const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(z.int().min(1).max(max))
    .meta({ override: { type: 'integer', minimum: 1, maximum: max } })

export const listMerchantsEndpoint = defineEndpoint({
  ...common,
  operationId: 'listMerchants',
  method: 'GET',
  path: '/operator/merchants',
  summary: 'List all merchants, of every status',
  query: z.object({
    page: wholeNumber(PAGE_MAX).default(1),
    page_size: wholeNumber(PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
  }),
  output: z
    .strictObject({ merchants: z.array(merchant), page: z.int(), page_size: z.int(), total: z.int() })
    .meta({ id: 'OperatorMerchantPage' }),
})

export const updateMerchantEndpoint = defineEndpoint({
  ...common,
  operationId: 'updateMerchant',
  method: 'PATCH',
  path: '/operator/merchants/{id}',
  summary: 'Change the given fields of a merchant',
  params: z.object({ id: pathId }),
  body: { kind: 'json', schema: z.strictObject(merchantFields).partial().meta({ id: 'MerchantChanges' }) },
  output: merchant,
  refusals: ['not_found', 'conflict'],
})

const signingKeys = z.strictObject({ purpose: z.enum(keyPurposes), current: z.string(), next: z.string() })

export const rotateSigningKeysEndpoint = defineEndpoint({
  ...common,
  operationId: 'rotateSigningKeys',
  method: 'POST',
  path: '/operator/signing-keys/rotate',
  summary:
    'Rotate the keys: the published next keys sign from now on, and the old ones keep verifying what they signed',
  body: {
    kind: 'json',
    optional: true,
    schema: z.strictObject({ purpose: z.enum(keyPurposes).optional() }).meta({ id: 'KeyRotationRequest' }),
  },
  output: z.strictObject({ rotated: z.array(signingKeys) }).meta({ id: 'KeyRotation' }),
})

export const blockSigningKeyEndpoint = defineEndpoint({
  ...common,
  operationId: 'blockSigningKey',
  method: 'POST',
  path: '/operator/signing-keys/{kid}/block',
  summary: 'Block a compromised key: nothing that it signed verifies any longer',
  params: z.object({ kid: pathId }),
  output: z.strictObject({ blocked: z.string(), ...signingKeys.shape }).meta({ id: 'KeyBlocked' }),
  refusals: ['not_found'],
})
