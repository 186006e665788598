export const signInText = {
  title: 'Sign in',
  lead: 'Approve what your agents buy, and set how much they may spend.',
  email: 'E-mail address',
  submit: 'Send me a sign-in link',
  badEmail: 'Enter an e-mail address such as ada@example.com.',
  sent: {
    title: 'Check your mail',
    body: (email: string) => `If ${email} belongs to an account, a link is on its way. It works once, for 15 minutes.`,
    other: 'Use another address',
  },
  demo: {
    or: 'Sandbox',
    button: 'Continue as Ada (demo)',
    outbox: 'Open the sandbox outbox',
    hint: 'Mail of the sandbox is not sent; it lands there.',
  },
  confirm: {
    title: 'Sign in to Countersign?',
    body: 'Continue only if you asked for this link yourself, just now.',
    submit: 'Yes, sign me in',
    missing: { title: 'This link is not complete', body: 'Open it again from the mail, or ask for a new one.' },
    again: 'Ask for a new link',
  },
} as const
