import type { Texts } from '@/components/i18n/texts'

export const ageText = {
  title: 'Age',
  description: 'Prove your age once with a wallet app, and your agents can also buy at shops with an age limit.',
  asked: {
    title: (age: number) => `A shop sells only to people of ${age} and older`,
    body: 'Your agent could not buy there, and nothing was charged. Prove your age here, then tell your agent to try again.',
    done: 'You have proven this age. Tell your agent to try again.',
  },
  /** Says what is learned about the person, and what is not. */
  learns:
    'Your wallet app shows one fact: that you have reached this age. We keep that fact, who confirms it and until when; no name and no date of birth. A shop learns only that you have reached its age.',
  none: { title: 'Not proven yet', body: 'Your agents cannot buy where buyers must have reached an age.' },
  notOffered: {
    title: 'Not offered here',
    body: 'The operator of your wallet has not said whose credentials count, so no age can be proven here.',
    sandbox: 'In the sandbox this gives the test wallet a credential and has the server trust its issuer:',
    command: 'Command',
  },
  proofs: 'What you have proven',
  reached: (age: number) => `You are ${age} or older`,
  valid: 'Proven',
  ended: 'Ended',
  provenOn: 'Proven on',
  endsOn: 'ends on',
  endedOn: 'ended on',
  by: 'Confirmed by',
  remove: 'Remove',
  removeName: (age: number) => `Remove the proof that you are ${age} or older`,
  removeTitle: 'Remove this proof?',
  removeBody: 'Your agents can no longer buy where it is needed. You can prove your age again at any time.',
  removed: 'The proof was removed.',
  prove: (age: number) => `Prove that you are ${age} or older`,
  again: (age: number) => `Prove again that you are ${age} or older`,
  request: {
    title: 'Prove your age',
    waiting: 'Waiting for your wallet app',
    scan: 'Scan this code with your wallet app',
    qr: 'QR code for your wallet app',
    here: 'Is your wallet app on this device?',
    open: 'Open wallet app',
    expires: 'Time left:',
    yours: 'Use your own wallet app, and send this code to nobody: the answer counts for you.',
    sandbox: 'In the sandbox the test wallet answers with this command:',
    command: 'Command for the test wallet',
    cancel: 'Cancel',
    verified: { title: 'Your age is proven', body: 'Your agents can now buy where this age is needed.', see: 'Done' },
    refused: {
      title: 'Your age was not proven',
      body: 'The wallet app refused, or what it showed does not prove this age. Nothing was kept of it.',
      untrusted: 'The operator of your wallet does not trust who issued this credential. Nothing was kept of it.',
      ended: 'The credential has ended or was revoked. Nothing was kept of it.',
    },
    expired: { title: 'The time is over', body: 'No wallet app has answered.' },
    another: 'Try again',
  },
} as const

export const ageTexts: Texts<typeof ageText> = {
  en: ageText,
  de: () => import('./messages.de').then((german) => german.ageTextDe),
}
