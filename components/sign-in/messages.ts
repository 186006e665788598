import type { Texts } from '@/components/i18n/texts'

export const signInText = {
  title: 'Sign in',
  lead: 'Approve what your agents buy, and set how much they may spend.',
  /** Why the session ended. */
  ended: {
    idle: (minutes: number) => `You were signed out because this page was not used for ${minutes} minutes.`,
    window: 'You signed out in another window.',
    everywhere: 'You signed out everywhere.',
    security: 'Your session was ended for security.',
    goOn: 'Sign in to go on where you were.',
  },
  again: {
    title: 'Sign in again',
    lead: 'To confirm this, sign in again. You then come back to the same page.',
    back: 'Go back without signing in',
  },
  passkey: {
    button: 'Continue with a passkey',
    or: 'or by e-mail',
    refused: 'This passkey does not sign in here. Try another one, or use a link by e-mail.',
    cancelled: 'The passkey prompt was closed or ran out of time. Try again, or use a link by e-mail.',
    unsupported: 'This browser cannot use passkeys here. Use a link by e-mail.',
    failed: 'The passkey could not be asked. Try again, or use a link by e-mail.',
  },
  failure: {
    offline: 'The server could not be reached. Try again.',
    unknown: 'That did not work. Try again.',
    rate_limited: 'That was tried too often. Try again in a few minutes.',
    forbidden: 'The page was open for too long. Reload it and try again.',
    invalid_token: 'This sign-in link was used before or is too old. Ask for a new one.',
    no_demo: 'The sandbox has no demo person any more. Use a link by e-mail.',
  },
  email: 'E-mail address',
  submit: 'Send me a sign-in link',
  badEmail: 'Enter an e-mail address such as ada@example.com.',
  sent: {
    title: 'Check your mail',
    body: (email: string) => `If ${email} belongs to an account, a link is on its way. It works once, for 15 minutes.`,
    code: 'Code for another browser',
    codeHint:
      'If you open the link in another browser or on another device, it asks for this code. Never tell it to anybody.',
    other: 'Use another address',
  },
  demo: {
    or: 'Sandbox',
    button: 'Continue as Ada (demo)',
    hint: 'The sandbox sends no mail. It waits in the',
    outbox: 'sandbox outbox',
  },
  confirm: {
    title: 'Sign in to Countersign?',
    body: 'Continue only if you asked for this link yourself, just now.',
    whose: (email: string) => `It opens the wallet of ${email} in this browser.`,
    submit: 'Yes, sign me in',
    elsewhere: {
      title: 'You asked for this link in another browser',
      body: 'Enter the code that the sign-in page shows there. If you did not ask for this link, close this page: then nothing happens.',
      code: 'Code',
      bad: 'Enter the six digits that are shown there.',
      wrong: 'That is not the code that is shown there. After five tries the link ends.',
    },
    used: {
      title: 'This link does not work any more',
      body: 'It was used before or is too old. Each link works once, for 15 minutes.',
    },
    missing: { title: 'This link is not complete', body: 'Open it again from the mail, or ask for a new one.' },
    again: 'Ask for a new link',
  },
} as const

export const signInTexts: Texts<typeof signInText> = {
  en: signInText,
  de: () => import('./messages.de').then((german) => german.signInTextDe),
}
