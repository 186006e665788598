import type { Translated } from '@/components/i18n/texts'
import type { scopeText } from './scope-messages'

export const scopeTextDe: Translated<typeof scopeText> = {
  'oid4ac:payment': {
    title: 'Zahlungen anfragen',
    hint: 'Fragt Käufe an; über jeden entscheiden Sie oder Ihre Regeln.',
  },
  'payment:execute': {
    title: 'Freigegebenes bezahlen',
    hint: 'Schließt einen Kauf ab, nachdem er freigegeben wurde.',
  },
  'wallet:read': {
    title: 'Ihre Wallet sehen',
    hint: 'Sieht Ihre Agenten, Limits, Karten (die letzten vier Ziffern) und offenen Anfragen.',
  },
  'wallet:write': {
    title: 'Ihre Wallet ändern',
    hint: 'Ändert Limits, Karten, Händlerregeln und Benachrichtigungen, pausiert Agenten, setzt sie fort oder entzieht ihnen den Zugriff, friert Ausgaben ein und hebt das auf und gibt in Ihrem Namen Anfragen frei oder lehnt sie ab.',
  },
  'audit:read': {
    title: 'Ihren Zahlungsverlauf sehen',
    hint: 'Liest Ihre Zahlungen und das Protokoll dessen, was geschehen ist.',
  },
  'privacy:dsar': {
    title: 'Ihre Datenschutzrechte ausüben',
    hint: 'Exportiert, berichtigt oder löscht in Ihrem Namen Ihre personenbezogenen Daten.',
  },
}
