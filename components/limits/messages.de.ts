import type { Translated } from '@/components/i18n/texts'
import type { limitsText } from './messages'

export const limitsTextDe: Translated<typeof limitsText> = {
  title: 'Limits',
  description: 'Wie viel Ihre Agenten ausgeben dürfen und wann Sie gefragt werden.',
  now: 'Aktueller Stand',
  none: {
    title: 'Noch keine Limits',
    body: 'Ohne Limits kann ein Agent jeden Betrag ausgeben, den Sie oder Ihre Regel zulassen. Legen Sie mindestens ein Tageslimit fest.',
  },
  meters: {
    today: 'Heute',
    week: 'Diese Woche',
    month: 'Dieser Monat',
    perPayment: 'Pro Zahlung',
    count: 'Anzahl der Zahlungen',
    used: (used, cap) => `${used} von ${cap}`,
    left: (left) => `Noch ${left} übrig.`,
    turnsAt: 'Beginnt neu um',
    midnightUtc: 'Ihrer Zeit (Mitternacht UTC).',
    turnsOn: 'Beginnt neu:',
    yourTime: 'Ihrer Zeit.',
    upTo: (cap) => `Jeweils bis ${cap}`,
    countUsed: (used, cap) => `${used} von ${cap}`,
    window: (text) => `Gleitender Zeitraum: ${text}.`,
    noLimit: 'Kein Limit',
  },
  form: {
    title: 'Limits',
    otherCurrenciesRefused: 'Zahlungen in anderen Währungen werden abgewiesen.',
    addCurrency: 'Währung hinzufügen',
    currency: 'Währung',
    currenciesInUse: 'In Gebrauch',
    otherCurrencies: 'Andere',
    daily: 'Höchstens pro Tag',
    weekly: 'Höchstens pro Woche',
    monthly: 'Höchstens pro Monat',
    timeZone: 'Zeitzone',
    single: 'Höchstens pro Zahlung',
    count: 'Anzahl der Zahlungen',
    window: 'Zeitraum',
    placeholder: 'Kein Limit',
    suggest: 'Vorschlag: 50\u00a0€ pro Tag, 20\u00a0€ pro Zahlung, 5\u00a0Zahlungen pro Stunde.',
    takeSuggestion: 'Übernehmen',
    suggestHint: 'Füllt das Formular aus; gespeichert wird noch nichts.',
    save: 'Limits speichern',
    saved: 'Gespeichert. Diese Limits gelten ab sofort für jede Zahlung.',
    savedForAgent: 'Gespeichert. Diese Limits gelten ab sofort für jede Zahlung dieses Agenten.',
    badAmount: (example) => `Geben Sie einen Betrag wie ${example} ein oder lassen Sie das Feld leer.`,
    badCount: 'Geben Sie eine ganze Zahl von 0 bis 1.000.000 ein oder lassen Sie das Feld leer.',
    tooMuch: 'So hoch kann ein Limit nicht sein.',
  },
  asked: {
    show: 'Anzeigen',
    list: 'Zahlungen, nach denen Sie gefragt worden wären',
    above: 'Zahlungen über diesen Limits',
    payment: (amount, payee) => `${amount} an ${payee}`,
    underWay: (amount) => `${amount}, noch nicht abgeschlossen`,
    sentence: (asked, payments) =>
      payments === 1
        ? `Mit diesen Limits wären Sie zu der einen Zahlung der letzten 30 Tage ${asked === 1 ? '' : 'nicht '}gefragt worden.`
        : `Mit diesen Limits wären Sie zu ${asked} der ${payments} Zahlungen der letzten 30 Tage gefragt worden.`,
    everyPurchase: (above, payments) =>
      `Sie werden vor jedem Kauf gefragt. ${
        payments === 1
          ? `Die eine Zahlung der letzten 30 Tage lag ${above === 1 ? '' : 'nicht '}über diesen Limits.`
          : `${above} der ${payments} Zahlungen der letzten 30 Tage lagen über diesen Limits.`
      }`,
    newMerchants: (sentence) => `${sentence} Außerdem werden Sie vor dem ersten Kauf bei einem Händler gefragt.`,
    refused: (count) =>
      count === 1
        ? '1 Zahlung in einer anderen Währung wäre abgewiesen worden.'
        : `${count} Zahlungen in anderen Währungen wären abgewiesen worden.`,
  },
  raise: {
    title: 'Mehr erlauben als bisher?',
    body: 'Mit diesen Limits können Agenten mehr ausgeben. Vergleichen Sie, bevor Sie bestätigen.',
    confirm: 'Bestätigen',
    how: 'Sie bestätigen mit Ihrem Passkey. Wenn Sie keinen haben, genügt es, dass Sie sich gerade angemeldet haben.',
  },
  differences: {
    label: 'Was sich ändert',
    field: {
      currency: 'Währung',
      daily_cap: 'Höchstens pro Tag',
      weekly_cap: 'Höchstens pro Woche',
      monthly_cap: 'Höchstens pro Monat',
      single_txn_cap: 'Höchstens pro Zahlung',
      velocity: 'Anzahl der Zahlungen',
      time_zone: 'Zeitzone',
    },
    effect: { looser: 'Erlaubt mehr', stricter: 'Erlaubt weniger', other_currency: 'Andere Währung' },
    becomes: 'wird zu',
    velocity: (count, window) => `${count === 1 ? '1 Zahlung' : `${count} Zahlungen`}, Zeitraum: ${window}`,
    refused: 'Abgewiesen',
    same: 'Die Limits bleiben, wie sie sind.',
  },
  undo: {
    lowered: 'Gespeichert. Agenten können jetzt weniger ausgeben.',
    action: 'Rückgängig',
    undone: 'Die Limits sind wieder wie vorher.',
    failed: 'Das lässt sich nicht mehr rückgängig machen.',
  },
  start: (day, each) => `Sie beginnen mit Limits von ${day} am Tag und ${each} je Zahlung.`,
  changes: {
    title: 'Änderungen',
    description: 'Was wann und von wo aus geändert wurde. Die neuesten 50.',
    empty: 'Es wurde noch nichts geändert.',
    kind: {
      save: 'Limits gespeichert',
      freeze: 'Ausgaben eingefroren',
      restore: 'Limits wiederhergestellt',
      undo: 'Senkung rückgängig gemacht',
      connect: 'Beim Verbinden des Agenten festgelegt',
      start: 'Limits für den Anfang',
    },
    via: { portal: 'In diesem Portal', token: 'Durch eine App mit Zugriff auf Ihre Wallet' },
  },
  windows: [
    { seconds: 600, label: '10 Minuten' },
    { seconds: 3600, label: '1 Stunde' },
    { seconds: 86_400, label: '24 Stunden' },
    { seconds: 604_800, label: '7 Tage' },
  ],
  rule: {
    title: 'Wann Sie gefragt werden',
    every_purchase: { label: 'Bei jedem Kauf', hint: 'Ohne Sie wird nichts bezahlt.' },
    new_merchants: {
      label: 'Bei neuen Händlern',
      hint: 'Wenn ein Agent zum ersten Mal bei einem Händler kauft, und über Ihren Limits.',
    },
    above_limits: {
      label: 'Nur über meinen Limits',
      hint: 'Innerhalb Ihrer Limits zahlen Agenten selbstständig.',
    },
    saved: 'Gespeichert.',
    noLimits: 'Sie haben keine Limits festgelegt. Mit dieser Wahl würden Sie deshalb nie gefragt.',
    less: { title: 'Seltener gefragt werden?', body: 'Mit dieser Wahl zahlen Agenten häufiger selbstständig.' },
  },
  gate: {
    label: 'Käufe ohne Rückfrage per E-Mail bestätigen',
    hint: 'Sie erhalten eine E-Mail und bestätigen mit einem Klick.',
    forAll: 'Dieser Dienst schickt allen eine E-Mail, bevor ein Agent selbstständig zahlt.',
    off: {
      title: 'Nicht mehr per E-Mail bestätigen?',
      body: 'Was Ihre Regeln erlauben, wird dann sofort bezahlt, ohne eine E-Mail an Sie.',
      from: 'Per E-Mail bestätigt',
      to: 'Sofort bezahlt',
    },
  },
  bumps: { payments: (count) => (count === 1 ? '1 Zahlung' : `${count} Zahlungen`) },
}
