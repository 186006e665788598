import type { Texts } from '@/components/i18n/texts'

export const mailedLinkText = {
  title: 'Confirm a change',
  wallet: 'Wallet',
  walletOf: (name: string, email: string) => `${name}, ${email}`,
  confirm_email: {
    title: 'Use this e-mail address for the wallet?',
    about: 'New address',
    body: 'Sign-in links and messages of this wallet will go there. Browsers that signed in by a link to the old address are signed out, except the one that asked for this. Continue only if the wallet is yours.',
    submit: 'Yes, use this address',
    done: { title: 'The address is in use', body: 'Sign-in links and messages now go there.' },
  },
  undo_email: {
    title: 'Go back to this e-mail address?',
    about: 'Address to go back to',
    body: 'The change to another address is undone. Everything that has signed in since is signed out, and so is what asked for the change. Passkeys, phones and recovery codes that were added since are removed. Wallet apps are removed, too, if they were added since the session that made the change was opened.',
    submit: 'Yes, undo the change',
    done: {
      title: 'The change is undone',
      body: 'Sign-in links go to your address again. Sign in and look at your agents and payments.',
    },
  },
  undo_passkey: {
    title: 'Remove this passkey?',
    about: 'Passkey',
    body: 'It no longer signs in or confirms anything, and neither do passkeys and recovery codes that were added after it. What they have signed in is signed out, and so is what added it. Wallet apps are removed, too, if they were added since the session that added it was opened.',
    submit: 'Yes, remove it',
    done: {
      title: 'The passkey is removed',
      body: 'What it had signed in is signed out. Sign in with a mailed link and look at your agents and payments.',
    },
  },
  leave: 'If you do not want this, close this page: nothing happens without you.',
  signIn: 'Go to sign-in',
  gone: {
    title: 'This link does not work any more',
    body: 'It is unknown or too old. Links that confirm an address work for 24 hours, links that undo a change for 72.',
  },
  used: {
    title: 'This link is done with',
    body: 'It was used before, or a later change took its place. Each link works once.',
  },
} as const

export const mailedLinkTexts: Texts<typeof mailedLinkText> = {
  en: mailedLinkText,
  de: () => import('./messages.de').then((german) => german.mailedLinkTextDe),
}
