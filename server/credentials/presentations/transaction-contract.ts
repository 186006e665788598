import * as z from 'zod'
import { currencyCode, freeText, minorUnits, shownIdentifier } from '../../base/contract/wire'
import { MAX_AMOUNT_MINOR } from '../../base/core/money'
import { URI_MAX_CHARS } from '../../base/protocol/lifetimes'

/** This server's own type of transaction data, whose members lie flat beside the type. */
export const OWN_PAYMENT = 'urn:oid4ac:payment:1'
/**
 * The payment type of EU digital identity wallets (EUDI TS12 section 4.3.1), the only one that banks' attestations
 * know.
 */
export const EUDI_PAYMENT = 'urn:eudi:sca:payment:1'

const REFERENCE_MAX_CHARS = 512
const TRANSACTION_ID_MAX_CHARS = 36
const PAYEE_NAME_MAX_CHARS = 200

const ownPayment = z
  .strictObject({
    type: z.literal(OWN_PAYMENT).optional(),
    offer_digest: shownIdentifier(REFERENCE_MAX_CHARS).optional(),
    amount_minor: minorUnits.min(1).optional(),
    currency: currencyCode.optional(),
    merchant: freeText(URI_MAX_CHARS).min(1).optional(),
    mandate_ref: shownIdentifier(REFERENCE_MAX_CHARS).optional(),
  })
  .refine(({ amount_minor: amount, currency }) => amount === undefined || currency !== undefined, {
    path: ['currency'],
    error: 'is required beside amount_minor',
  })
  .meta({ id: 'PresentationTransactionData', description: 'What the holder agrees to by presenting.' })

const eudiPayment = z
  .strictObject({
    type: z.literal(EUDI_PAYMENT),
    transaction_id: shownIdentifier(TRANSACTION_ID_MAX_CHARS),
    payee: z.strictObject({
      name: freeText(PAYEE_NAME_MAX_CHARS).min(1),
      id: shownIdentifier(REFERENCE_MAX_CHARS).meta({ description: 'For instance an IBAN, or a merchant’s number.' }),
    }),
    amount_minor: minorUnits.min(1).max(MAX_AMOUNT_MINOR),
    currency: currencyCode,
  })
  .meta({
    id: 'EudiPaymentTransactionData',
    description:
      'A payment as EU digital identity wallets show and sign it (TS12); they get the amount in major units.',
  })

/** The `transaction_data` of `POST /eudiw/request`; without a type it is `OWN_PAYMENT`. */
export const transactionData = z.discriminatedUnion('type', [ownPayment, eudiPayment]).meta({
  // OpenAPI's discriminator is always required, and the `type` of `OWN_PAYMENT` may be left out.
  override: ({ jsonSchema }) => {
    Object.assign(jsonSchema, { anyOf: jsonSchema.oneOf })
    delete jsonSchema.oneOf
    delete jsonSchema['discriminator']
  },
})
export type TransactionData = z.output<typeof transactionData>
