import type { Translated } from '@/components/i18n/texts'
import type { mailedLinkText } from './messages'

export const mailedLinkTextDe: Translated<typeof mailedLinkText> = {
  title: 'Eine Änderung bestätigen',
  wallet: 'Wallet',
  walletOf: (name, email) => `${name}, ${email}`,
  confirm_email: {
    title: 'Diese E-Mail-Adresse für die Wallet verwenden?',
    about: 'Neue Adresse',
    body: 'Anmeldelinks und Nachrichten dieser Wallet gehen dann dorthin. Browser, die sich mit einem Link an die alte Adresse angemeldet haben, werden abgemeldet, außer dem, der dies verlangt hat. Fahren Sie nur fort, wenn die Wallet Ihre ist.',
    submit: 'Ja, diese Adresse verwenden',
    done: { title: 'Die Adresse wird verwendet', body: 'Anmeldelinks und Nachrichten gehen ab jetzt dorthin.' },
  },
  undo_email: {
    title: 'Zu dieser E-Mail-Adresse zurückkehren?',
    about: 'Adresse, die wieder gilt',
    body: 'Der Wechsel zu einer anderen Adresse wird rückgängig gemacht. Alles, was sich seither angemeldet hat, wird abgemeldet, auch was den Wechsel verlangt hat. Seither hinzugefügte Passkeys, Handynummern und Wiederherstellungscodes werden entfernt. Auch Wallet-Apps werden entfernt, wenn sie hinzukamen, seit die Sitzung geöffnet wurde, von der die Änderung ausging.',
    submit: 'Ja, rückgängig machen',
    done: {
      title: 'Der Wechsel ist rückgängig gemacht',
      body: 'Anmeldelinks gehen wieder an Ihre Adresse. Melden Sie sich an und sehen Sie Ihre Agenten und Zahlungen durch.',
    },
  },
  undo_passkey: {
    title: 'Diesen Passkey entfernen?',
    about: 'Passkey',
    body: 'Er meldet nicht mehr an und bestätigt nichts mehr, ebenso wenig Passkeys und Wiederherstellungscodes, die nach ihm hinzukamen. Was sie angemeldet haben, wird abgemeldet, auch was ihn hinzugefügt hat. Auch Wallet-Apps werden entfernt, wenn sie hinzukamen, seit die Sitzung geöffnet wurde, die ihn hinzugefügt hat.',
    submit: 'Ja, entfernen',
    done: {
      title: 'Der Passkey ist entfernt',
      body: 'Was er angemeldet hatte, ist abgemeldet. Melden Sie sich mit einem Link per E-Mail an und sehen Sie Ihre Agenten und Zahlungen durch.',
    },
  },
  leave: 'Wenn Sie das nicht möchten, schließen Sie diese Seite: Ohne Sie geschieht nichts.',
  signIn: 'Zur Anmeldung',
  gone: {
    title: 'Dieser Link gilt nicht mehr',
    body: 'Er ist unbekannt oder zu alt. Links, die eine Adresse bestätigen, gelten 24 Stunden, Links, die eine Änderung rückgängig machen, 72.',
  },
  used: {
    title: 'Dieser Link ist erledigt',
    body: 'Er wurde schon verwendet, oder eine spätere Änderung ist an seine Stelle getreten. Jeder Link gilt einmal.',
  },
}
