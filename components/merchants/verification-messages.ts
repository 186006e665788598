import type { Texts } from '@/components/i18n/texts'

export const verificationText = {
  back: 'Merchants',
  address: 'Address',
  country: 'Country',
  title: 'Verification',
  verified: 'Verified merchant',
  notVerified: 'Not verified',
  since: 'since',
  entity: 'Verified through',
  payments: 'Payments to this merchant',
  byFederation:
    'The operator of this wallet vouches for this merchant through a federation, and checks about every half minute that this still holds.',
  byOperator: 'The operator of this wallet checked who this merchant is.',
  noNew: 'Your agents cannot buy here until it is verified again.',
  reasons: {
    unchecked: 'It has not been checked yet.',
    federation_off: 'The federation is switched off, so nothing vouches for it.',
    entity_suspended: 'The entity behind it was suspended.',
    entity_revoked: 'The entity behind it was removed from the federation.',
    unresolvable: 'No valid chain of statements leads from it to the operator any more.',
    metadata_unusable: 'It publishes no keys that its catalog and receipts could be verified with.',
    mark_missing: 'It does not show the mark of verified merchants.',
    mark_revoked: 'Its mark was revoked.',
    mark_expired: 'Its mark expired.',
    unreachable: 'It could not be reached for too long to be checked.',
    pending: 'Nobody has checked it yet.',
    suspended: 'The operator suspended it.',
  },
} as const

export const verificationTexts: Texts<typeof verificationText> = {
  en: verificationText,
  de: () => import('./verification-messages.de').then((german) => german.verificationTextDe),
}
