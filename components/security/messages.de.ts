import type { Translated } from '@/components/i18n/texts'
import type { securityText } from './messages'

export const securityTextDe: Translated<typeof securityText> = {
  title: 'Sicherheit',
  description: 'Wie Sie sich ausweisen und wo Sie angemeldet sind.',
  activity: 'Sicherheitsaktivität',
  passkeys: {
    title: 'Passkeys',
    description:
      'Ein Passkey ist ein Schlüssel auf Ihrem Handy, Computer oder Sicherheitsschlüssel, den Sie mit Fingerabdruck, Gesicht oder PIN öffnen. Er meldet Sie an und bestätigt Freigaben, und auf einer gefälschten Kopie dieser Seite lässt er sich nicht verwenden.',
    unavailable:
      'Passkeys brauchen einen Hostnamen. Diese Installation ist über eine IP-Adresse erreichbar, deshalb melden Sie sich per E-Mail an und bestätigen auch so.',
    none: {
      title: 'Noch kein Passkey',
      body: 'Ohne Passkey bestätigen Sie Freigaben dadurch, dass Sie sich gerade eben mit einem Link aus einer E-Mail angemeldet haben.',
    },
    second:
      'Fügen Sie auf einem anderen Gerät einen zweiten Passkey hinzu. Wenn Sie den einzigen verlieren, brauchen Sie einen Wiederherstellungscode oder die Hilfe des Betreibers, um einen neuen hinzuzufügen.',
    created: 'Hinzugefügt',
    used: 'zuletzt verwendet',
    unused: 'noch nicht verwendet',
    synced: 'Auf Ihren Geräten synchronisiert',
    rename: 'Umbenennen',
    renameOf: (name) => `${name} umbenennen`,
    remove: 'Entfernen',
    removeOf: (name) => `${name} entfernen`,
    save: 'Namen speichern',
    cancel: 'Abbrechen',
  },
  add: {
    name: 'Name des neuen Passkeys',
    hint: 'Damit Sie ihn wiedererkennen, zum Beispiel Handy oder Blauer Sicherheitsschlüssel.',
    missing: 'Geben Sie dem Passkey einen Namen.',
    notPlain: 'Verwenden Sie einfachen Text in einer Zeile.',
    cardNumber: 'Das sieht wie eine Kartennummer aus. Lassen Sie sie weg.',
    suggestion: (number) => `Passkey ${number}`,
    button: 'Passkey hinzufügen',
    done: (name) => `${name} wurde hinzugefügt. Wir haben Ihnen dazu eine E-Mail geschickt.`,
    known: 'Auf diesem Gerät liegt bereits einer Ihrer Passkeys.',
    full: 'Sie haben die höchste Zahl an Passkeys erreicht. Entfernen Sie einen nicht mehr benötigten, um einen neuen hinzuzufügen.',
  },
  removal: {
    title: (name) => `Passkey „${name}“ entfernen?`,
    body: 'Er kann Sie dann nicht mehr anmelden und nichts mehr bestätigen. Sie bestätigen das Entfernen mit einem Ihrer Passkeys und erhalten eine E-Mail. Löschen Sie ihn auch auf dem Gerät.',
    last: 'Es ist Ihr letzter Passkey. Danach bestätigen Sie, indem Sie sich mit einem Link aus einer E-Mail anmelden.',
    confirm: 'Passkey entfernen',
    done: (name) => `${name} wurde entfernt. Wir haben Ihnen dazu eine E-Mail geschickt.`,
    keepRequired:
      'Freigaben brauchen einen Passkey, deshalb lässt sich der letzte nicht entfernen. Fügen Sie zuerst einen weiteren hinzu oder schalten Sie das aus.',
    keepOnly:
      'Nur mit ihm können Sie sich anmelden, deshalb lässt er sich nicht entfernen. Fügen Sie zuerst einen weiteren hinzu.',
  },
  required: {
    title: 'Freigaben',
    label: 'Passkey für Freigaben verlangen',
    hint: 'Ohne einen Ihrer Passkeys oder eine Wallet-App, die Sie mit einem hinzugefügt haben, wird nichts für Sie freigegeben, auch nicht durch eine App, die Sie mit Ihrer Wallet verbunden haben. Auch das Ausschalten braucht einen Passkey.',
    needsOne: 'Fügen Sie zuerst einen Passkey hinzu.',
  },
  sessions: {
    title: 'Wo Sie angemeldet sind',
    description: 'Eine Sitzung endet von selbst, wenn sie 15 Minuten lang niemand benutzt.',
    device: (browser, system) => `${browser} unter ${system}`,
    unknown: 'Unbekanntes Gerät',
    current: 'Diese Sitzung',
    method: {
      magic_link: 'Mit einem Link aus einer E-Mail angemeldet',
      passkey: 'Mit einem Passkey angemeldet',
      demo: 'Mit der Demo-Schaltfläche angemeldet',
    },
    used: 'zuletzt benutzt',
    end: 'Abmelden',
    endOf: (device) => `${device} abmelden`,
    ended: (device) => `${device} wurde abgemeldet.`,
    endOthers: 'Alle anderen abmelden',
    endAll: 'Überall abmelden',
    others: (count) => (count === 1 ? '1 andere Sitzung wurde beendet.' : `${count} andere Sitzungen wurden beendet.`),
  },
  recovery: {
    title: 'Wenn Sie einen Passkey verlieren',
    steps: [
      'Bestätigen Sie hier mit einem anderen Ihrer Passkeys, dass er entfernt wird.',
      'War es der einzige, melden Sie sich mit einem Link aus einer E-Mail an. Sie können alles ansehen, ablehnen und Ausgaben einfrieren, und mit einem Wiederherstellungscode einen Passkey hinzufügen.',
      'Ohne Wiederherstellungscode muss, was ein Passkey bestätigt, warten, bis der Betreiber dieser Wallet sich vergewissert hat, dass Sie es sind, und den verlorenen entfernt hat.',
      'Wenn Sie glauben, dass ihn jemand anderes hat, melden Sie sich überall ab.',
    ],
    codes: 'Wiederherstellungscodes',
    codesBody:
      'Jeder Code fügt zusammen mit einem Link aus einer E-Mail einen Passkey hinzu und tut sonst nichts. Bewahren Sie sie auf Papier oder in einem Passwortmanager auf, nicht in Ihrem Postfach.',
    left: (count) => (count === 1 ? 'Noch 1 Code' : `Noch ${count} Codes`),
    made: 'erstellt',
    make: 'Wiederherstellungscodes erstellen',
    makeNew: 'Neue Wiederherstellungscodes erstellen',
    keep: 'Bewahren Sie diese Codes auf. Sie werden nicht noch einmal gezeigt.',
    kept: 'Ich habe sie aufbewahrt',
    lost: 'Passkey verloren?',
    lostBody:
      'Geben Sie einen Ihrer Wiederherstellungscodes ein, um auf diesem Gerät einen Passkey hinzuzufügen. Wir schreiben Ihnen eine E-Mail darüber.',
    code: 'Wiederherstellungscode',
    missing: 'Geben Sie einen Wiederherstellungscode ein.',
    use: 'Diesen Code benutzen',
  },
}
