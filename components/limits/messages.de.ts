import type { Translated } from '@/components/i18n/texts'
import type { limitsText } from './messages'

export const limitsTextDe: Translated<typeof limitsText> = {
  title: 'Limits',
  description: 'Wie viel Ihre Agenten ausgeben dürfen und wann Sie gefragt werden.',
  now: 'Aktueller Stand',
  none: {
    title: 'Noch keine Limits',
    body: 'Ohne Limits steht nur Ihre Freigabe zwischen einem Agenten und Ihrer Karte. Legen Sie mindestens ein Tageslimit fest.',
  },
  meters: {
    today: 'Heute',
    week: 'Diese Woche',
    month: 'Dieser Monat',
    perPayment: 'Pro Zahlung',
    count: 'Anzahl der Zahlungen',
    used: (used, cap) => `${used} von ${cap} verbraucht`,
    left: (left) => `Noch ${left} übrig.`,
    turnsAt: 'Beginnt neu um',
    midnightUtc: 'Ihrer Zeit (Mitternacht UTC).',
    turnsOn: 'Beginnt neu:',
    yourTime: 'Ihrer Zeit.',
    upTo: (cap) => `Jeweils bis ${cap}`,
    countUsed: (used, cap) => `${used} von ${cap} verbraucht`,
    window: (text) => `Gleitender Zeitraum: ${text}. Jede Zahlung zählt, bis sie so alt ist.`,
    noLimit: 'Kein Limit',
  },
  form: {
    title: 'Limits festlegen',
    description:
      'Ein leeres Feld bedeutet: kein Limit. Betragslimits gelten in einer Währung; Zahlungen in anderen Währungen werden dann abgewiesen.',
    currency: 'Währung',
    daily: 'Höchstens pro Tag',
    dailyHint: 'Zählt ab Mitternacht UTC.',
    weekly: 'Höchstens pro Woche',
    weeklyHint: 'Zählt ab Montag, 00:00 Uhr, in Ihrer Zeitzone.',
    monthly: 'Höchstens pro Monat',
    monthlyHint: 'Zählt ab dem 1., 00:00 Uhr, in Ihrer Zeitzone.',
    timeZone: 'Zeitzone',
    timeZoneHint: 'Hier beginnen Wochen und Monate, auch die Ihrer Agenten.',
    single: 'Höchstens pro Zahlung',
    count: 'Anzahl der Zahlungen',
    countHint: 'Leer bedeutet: kein Limit.',
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
    sentence: (asked, payments) =>
      payments === 1
        ? `Mit diesen Limits wären Sie zu der 1 Zahlung der letzten 30 Tage ${asked === 1 ? '' : 'nicht '}gefragt worden.`
        : `Mit diesen Limits wären Sie zu ${asked} der ${payments} Zahlungen der letzten 30 Tage gefragt worden.`,
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
  preview: {
    title: 'Ausprobieren',
    description: 'Was nach den gespeicherten Limits geschehen würde, wenn ein Agent jetzt bezahlen wollte.',
    amount: 'Betrag des Kaufs',
    outcome: { allowed: 'Erlaubt', asked: 'Nur mit Freigabe', refused: 'Nicht erlaubt' },
    sentence: (amount) => `Ein Kauf über ${amount}:`,
    agent: 'Agent',
    anyAgent: 'Beliebiger Agent',
    merchant: 'Händler',
    anyMerchant: 'Beliebiger Händler',
    reason: {
      restricted: 'Sie haben die Verarbeitung eingeschränkt, deshalb erhalten Agenten keine neue Berechtigung.',
      agent_revoked: 'Diesem Agenten wurde der Zugriff entzogen.',
      agent_paused: 'Dieser Agent ist pausiert.',
      merchant_not_allowed: 'Ihre Regeln erlauben diesen Händler nicht.',
      merchant_unlisted: 'Dieser Händler steht nicht im Verzeichnis, und andere können hier nicht bezahlt werden.',
      no_card: 'Es gibt keine Karte, mit der bezahlt werden könnte.',
      frozen: 'Die Ausgaben sind eingefroren.',
      every_purchase: 'Sie möchten bei jedem Kauf gefragt werden.',
      new_merchant: 'Der Agent hat dort noch nicht gekauft, deshalb werden Sie zuerst gefragt.',
      remembered: 'Der Kauf liegt innerhalb der Limits, und Sie haben diesen Agenten dort schon einmal freigegeben.',
      within_limits_if_known:
        'Der Kauf liegt innerhalb der Limits. Bei einem Händler, der für den Agenten neu ist, werden Sie zuerst gefragt.',
      within_limits: 'Der Kauf liegt innerhalb der Limits.',
      approvals_off: 'Sie müssten gefragt werden, aber Freigaben sind vom Betreiber abgeschaltet.',
    },
    currency: {
      wallet: (currency) =>
        `Ihre Limits gelten in ${currency}, deshalb werden Zahlungen in anderen Währungen abgewiesen.`,
      agent: (currency) =>
        `Die Limits dieses Agenten gelten in ${currency}, deshalb werden Zahlungen in anderen Währungen abgewiesen.`,
    },
    limit: {
      wallet: {
        single_txn_cap: (limit) => `Eine Zahlung darf höchstens ${limit} betragen. Sie werden zuerst gefragt.`,
        daily_cap: (limit, total) =>
          `Damit wären es heute ${total}, und Ihr Limit ist ${limit}. Sie werden zuerst gefragt.`,
        weekly_cap: (limit, total) =>
          `Damit wären es diese Woche ${total}, und Ihr Limit ist ${limit}. Sie werden zuerst gefragt.`,
        monthly_cap: (limit, total) =>
          `Damit wären es diesen Monat ${total}, und Ihr Limit ist ${limit}. Sie werden zuerst gefragt.`,
        velocity: (limit) => `Das wäre zurzeit mehr als ${limit}. Sie werden zuerst gefragt.`,
      },
      agent: {
        single_txn_cap: (limit) =>
          `Eine Zahlung dieses Agenten darf höchstens ${limit} betragen. Sie werden zuerst gefragt.`,
        daily_cap: (limit, total) =>
          `Damit wären es bei diesem Agenten heute ${total}, und sein Limit ist ${limit}. Sie werden zuerst gefragt.`,
        weekly_cap: (limit, total) =>
          `Damit wären es bei diesem Agenten diese Woche ${total}, und sein Limit ist ${limit}. Sie werden zuerst gefragt.`,
        monthly_cap: (limit, total) =>
          `Damit wären es bei diesem Agenten diesen Monat ${total}, und sein Limit ist ${limit}. Sie werden zuerst gefragt.`,
        velocity: (limit) => `Das wäre bei diesem Agenten zurzeit mehr als ${limit}. Sie werden zuerst gefragt.`,
      },
    },
  },
  rule: {
    title: 'Wann Sie gefragt werden',
    description: 'Was Sie auch wählen: Über Ihre Limits hinaus gibt ein Agent ohne Ihre Freigabe nie etwas aus.',
    every_purchase: { label: 'Bei jedem Kauf', hint: 'Ohne Sie wird nichts bezahlt. Am sichersten.' },
    new_merchants: {
      label: 'Bei neuen Händlern',
      hint: 'Sie werden gefragt, wenn ein Agent zum ersten Mal bei einem Händler kauft, und immer, wenn Ihre Limits überschritten würden.',
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
    hint: 'Bevor ein Agent selbstständig zahlt, erhalten Sie eine E-Mail und bestätigen mit einem Klick.',
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
