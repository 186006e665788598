import type { Translated } from '@/components/i18n/texts'
import type { merchantsText } from './messages'

export const merchantsTextDe: Translated<typeof merchantsText> = {
  title: 'Händler',
  description: 'Wo Ihre Agenten Käufe anfragen dürfen und wo sie zahlen, ohne Sie zu fragen.',
  allAgents: 'Alle Agenten',
  unknownAgent: 'Ein Agent',
  emptyList: {
    title: 'Ihre Liste ist leer: Kein Händler darf anfragen',
    body: 'Erlauben Sie unten einen Händler oder schalten Sie „Nur Ihre Liste“ aus.',
  },
  allowed: 'Erlaubt',
  onList: 'Auf Ihrer Liste',
  blocked: 'Gesperrt',
  since: 'seit',
  verified: 'Geprüfter Händler',
  notVerified: 'Nicht geprüft',
  remove: 'Entfernen',
  removeName: (verdict, merchant, agent) => `Entfernen: ${verdict}, ${merchant}, ${agent}`,
  who: {
    title: 'Wer anfragen darf',
    any: 'Jeder Händler',
    anyHint: 'Alle außer denen, die Sie gesperrt haben.',
    verified: 'Geprüfte Händler',
    verifiedHint: (count) => (count === 1 ? '1 Händler des Verzeichnisses' : `${count} Händler des Verzeichnisses`),
    listed: 'Nur Ihre Liste',
    listedHint: (count) => `${count} Händler`,
    outside: {
      allow:
        'Händler außerhalb des Verzeichnisses dürfen auch anfragen und stehen als „Nicht geprüft“ da; nicht aber ein Händler, der nicht mehr als geprüft gilt.',
      refuse: 'Händler außerhalb des Verzeichnisses dürfen hier nicht anfragen.',
    },
    outsideOfList: {
      allow: 'Händler außerhalb des Verzeichnisses dürfen anfragen, sobald sie auf Ihrer Liste stehen.',
      refuse: 'Händler außerhalb des Verzeichnisses dürfen hier nicht anfragen, auch wenn sie auf Ihrer Liste stehen.',
    },
  },
  unasked: {
    title: 'Bezahlt ohne Rückfrage',
    every_purchase: 'Sie wollen vor jedem Kauf gefragt werden; ohne Rückfrage wird also nichts bezahlt.',
    new_merchants:
      'Dort haben Sie schon einen Kauf dieses Agenten freigegeben. Über dem Betrag oder über einem Limit werden Sie gefragt.',
    above_limits:
      'Sie wollen nur über Ihren Limits gefragt werden; darunter wird jeder Händler bezahlt, der anfragen darf.',
    none: 'Noch bei keinem Händler wurde ein Kauf freigegeben.',
    forget: 'Vergessen',
    forgetName: (merchant, agent) => `Vergessen: ${merchant} für ${agent}`,
    suspended: {
      rule: 'zurzeit durch Ihre Regeln abgewiesen',
      unlisted: 'zurzeit abgewiesen, nicht im Verzeichnis',
      changed: 'zurzeit mit Rückfrage, weil sich der Name des Händlers oder Ihre Karte geändert hat',
    },
  },
  noneBlocked: 'Kein Händler ist gesperrt.',
  gate: {
    confirm: {
      title: '„Nur Ihre Liste“ einschalten?',
      button: 'Einschalten',
      nothing: 'Alles, was Sie bisher freigegeben haben, funktioniert weiter.',
    },
    off: {
      title: '„Nur Ihre Liste“ ausschalten?',
      body: 'Händler, die Sie nicht gesperrt haben, dürfen wieder anfragen.',
      from: 'Nur Ihre Liste',
    },
    stops: 'Das funktioniert dann nicht mehr, weil es nicht auf Ihrer Liste steht:',
    upTo: (amount) => `bis ${amount}`,
    stopped: 'Nicht auf Ihrer Liste',
    stoppedHint: 'Dort konnten Ihre Agenten ohne Rückfrage kaufen. Mit „Nur Ihre Liste“ geht das nicht.',
    allow: 'Erlauben',
    allowName: (merchant, agent) => `Erlauben: ${merchant} für ${agent}`,
    emptyList: 'Ihre Liste ist leer; es dürfte also gar kein Händler anfragen.',
  },
  relaxed: {
    title: 'Käufe hier zulassen?',
    body: 'Agenten dürfen bei diesem Händler Käufe anfragen, wenn keine andere Regel ihn sperrt. Ihre Limits und Freigaben gelten wie bisher.',
    none: 'Keine Regel',
  },
  directory: {
    label: 'Händler suchen',
    hint: 'Nach Name oder Adresse im Verzeichnis der geprüften Händler.',
    results: 'Geprüfte Händler',
    verified: 'Geprüfter Händler',
    choose: 'Regel anlegen',
    chooseName: (merchant) => `Regel anlegen: ${merchant}`,
    none: 'Kein geprüfter Händler heißt so. Sie können seine Adresse trotzdem unten eingeben.',
    found: (count) => (count === 1 ? 'Ein Händler gefunden.' : `${count} Händler gefunden.`),
    more: 'Das sind die ersten 20. Geben Sie mehr vom Namen ein, um andere zu sehen.',
  },
  form: {
    title: 'Regel hinzufügen',
    address: 'Adresse des Händlers',
    addressHint: 'So, wie sie bei einer Anfrage steht, zum Beispiel https://shop.example.',
    addressMissing: 'Geben Sie die Adresse des Händlers ein.',
    addressBad: 'Geben Sie eine Adresse ein, die mit https:// beginnt, zum Beispiel https://shop.example.',
    who: 'Für',
    verdict: 'Was gelten soll',
    allow: {
      label: 'Erlauben',
      hint: 'Genau diese Adresse steht auf Ihrer Liste. Ihre Limits und Freigaben gelten wie bisher.',
    },
    deny: {
      label: 'Sperren',
      hint: 'Anfragen für diesen Händler werden ohne Rückfrage abgewiesen, auch die für jede Adresse darunter. Sperren geht vor Erlauben.',
    },
    save: 'Regel speichern',
    saved: 'Gespeichert. Die Regel gilt ab sofort.',
  },
  block: {
    button: 'Händler sperren',
    done: (merchant) => `${merchant} ist gesperrt`,
    doneBody: 'Ihre Agenten können dort nicht mehr kaufen.',
    paymentStays: 'Diese Zahlung bleibt, wie sie ist.',
    see: 'Ihre Händler ansehen',
  },
}
