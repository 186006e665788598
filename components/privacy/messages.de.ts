import type { Translated } from '@/components/i18n/texts'
import type { privacyText } from './messages'

export const privacyTextDe: Translated<typeof privacyText> = {
  title: 'Datenschutz',
  description: 'Ihre Rechte an dem, was über Sie gespeichert ist, und wie Sie sie hier wahrnehmen.',
  here: 'Das geht hier',
  operator: 'Beim Betreiber anfragen',
  access: {
    title: 'Ihre Daten einsehen',
    body: 'Alles, was über Sie gespeichert ist, steht auf diesen Seiten.',
    links: {
      payments: 'Zahlungen',
      activity: 'Aktivität',
      agents: 'Agenten',
      limits: 'Limits',
      merchants: 'Händler',
      cards: 'Karten',
      notifications: 'Benachrichtigungen',
      security: 'Passkeys und Sitzungen',
    },
  },
  take: {
    title: 'Ihre Daten mitnehmen',
    body: 'Dateien, die andere Programme lesen können: alle Zahlungen als Tabelle, die ganze Aktivität mit ihren Hashes.',
    csv: 'Zahlungen herunterladen (CSV)',
    json: 'Aktivität herunterladen (JSON)',
  },
  correct: {
    title: 'Ihre Daten berichtigen',
    body: 'Karten, Limits, Händler, Benachrichtigungen und Passkeys ändern Sie selbst auf deren Seiten. Ihren Namen und Ihre E-Mail-Adresse führt der Betreiber; schreiben Sie ihm, wenn etwas davon falsch ist.',
    name: 'Name',
    email: 'E-Mail-Adresse',
    none: 'keine Angabe',
  },
  restrict: {
    title: 'Die Verarbeitung einschränken',
    body: 'Jeden Agenten können Sie selbst anhalten: Frieren Sie auf der Seite Limits die Ausgaben ein oder entziehen Sie den Agenten den Zugriff. Um alles einzuschränken, solange eine Frage offen ist, schreiben Sie dem Betreiber; von da an bekommen Agenten keine neue Erlaubnis.',
    limits: 'Ausgaben einfrieren',
    agents: 'Agenten den Zugriff entziehen',
  },
  object: {
    title: 'Widersprechen',
    body: 'Ihre Daten dienen den Zahlungen, die Sie freigeben, und sonst nichts; es gibt keine Werbung. Welche Nachrichten Sie erreichen, bestimmen Sie selbst. Um allem anderen zu widersprechen, schreiben Sie dem Betreiber.',
    notifications: 'Benachrichtigungen wählen',
  },
  erase: {
    title: 'Ihre Daten löschen lassen',
    body: 'Schreiben Sie dem Betreiber, dass Sie Ihr Konto löschen lassen möchten. Entziehen Sie zuerst Ihren Agenten den Zugriff und entfernen Sie Ihre Karten: Beides wirkt sofort. Bis der Betreiber es erledigt hat, können Sie sich weiter anmelden.',
    agents: 'Agenten den Zugriff entziehen',
    cards: 'Karten entfernen',
  },
  how: {
    title: 'So schreiben Sie dem Betreiber',
    body: 'Nutzen Sie den Kontakt des Dienstes, von dem Sie diese Adresse haben, und nennen Sie diese Konto-ID. Kartennummern, Passkeys oder Anmeldelinks müssen Sie nie mitschicken.',
    id: 'Konto-ID',
    address: 'Adresse dieses Dienstes',
  },
  kept: {
    title: 'Was gespeichert wird und warum',
    rows: {
      account: {
        what: 'E-Mail-Adresse und Name',
        why: 'Um Sie zu erkennen und Ihnen zu sagen, was geschieht. Nur dieser Dienst speichert sie.',
      },
      cards: {
        what: 'Marke, letzte vier Ziffern und Ablauf Ihrer Karten',
        why: 'Damit Sie sie unterscheiden können. Die ganze Nummer liegt beim Zahlungsdienstleister, nie hier.',
      },
      payments: {
        what: 'Zahlungen, Freigaben und Belege',
        why: 'Um zu zeigen, was vereinbart war, um Reklamationen zu klären, und weil Buchungen aufbewahrt werden müssen.',
      },
      audit: {
        what: 'Aktivität (Kette der Einträge)',
        why: 'Um zu belegen, dass nachträglich nichts geändert wurde. Es enthält zufällige IDs, Beträge und Zeiten, aber keinen Namen, keine Adresse und keine Kartennummer; deshalb bleibt es, wenn ein Konto gelöscht wird.',
      },
      sessions: {
        what: 'Sitzungen und Passkeys',
        why: 'Um Sie anzumelden. Von einem Passkey liegt hier nur der öffentliche Schlüssel; was ihn entsperrt, verlässt Ihr Gerät nie.',
      },
    },
  },
}
