import type { Translated } from '@/components/i18n/texts'
import type { verificationText } from './verification-messages'

export const verificationTextDe: Translated<typeof verificationText> = {
  back: 'Händler',
  address: 'Adresse',
  country: 'Land',
  title: 'Prüfung',
  verified: 'Geprüfter Händler',
  notVerified: 'Nicht geprüft',
  since: 'seit',
  entity: 'Geprüft über',
  payments: 'Zahlungen an diesen Händler',
  byFederation:
    'Der Betreiber dieser Wallet bürgt über eine Föderation für diesen Händler und prüft etwa alle dreißig Sekunden, ob das noch gilt.',
  byOperator: 'Der Betreiber dieser Wallet hat geprüft, wer dieser Händler ist.',
  noNew: 'Ihre Agenten können hier nicht kaufen, bis er wieder geprüft ist.',
  reasons: {
    unchecked: 'Er wurde noch nicht geprüft.',
    federation_off: 'Die Föderation ist abgeschaltet, also bürgt nichts für ihn.',
    entity_suspended: 'Die Einrichtung hinter ihm wurde gesperrt.',
    entity_revoked: 'Die Einrichtung hinter ihm wurde aus der Föderation entfernt.',
    unresolvable: 'Keine gültige Kette von Bestätigungen führt mehr von ihm zum Betreiber.',
    metadata_unusable: 'Er veröffentlicht keine Schlüssel, mit denen sich Katalog und Belege prüfen ließen.',
    mark_missing: 'Er weist das Zeichen geprüfter Händler nicht vor.',
    mark_revoked: 'Sein Zeichen wurde widerrufen.',
    mark_expired: 'Sein Zeichen ist abgelaufen.',
    unreachable: 'Er war zu lange nicht erreichbar, um geprüft zu werden.',
    pending: 'Niemand hat ihn bisher geprüft.',
    suspended: 'Der Betreiber hat ihn gesperrt.',
  },
}
