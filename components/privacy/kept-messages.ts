import type { Texts } from '@/components/i18n/texts'
import type { StoredKind } from '@/components/lib/api-types'

type Words = Readonly<Record<StoredKind['kind'], { readonly what: string; readonly why: string }>>

const kinds = {
  payments: {
    what: 'Payments, settlements and refunds',
    why: 'accounts must be kept by law, and a repeated charge gets its first answer',
  },
  mandates: { what: 'Mandates', why: 'they prove what was allowed; the items that were agreed go' },
  approvals: {
    what: 'Approvals and limit requests',
    why: 'they prove that you approved exactly this; the words in them go',
  },
  audit: {
    what: 'Recorded activity (audit chain)',
    why: 'a chain with holes proves nothing; it holds random ids, amounts and times, and no name or address',
  },
  spending: {
    what: 'What was spent each day, as numbers',
    why: 'a payment that is still open counts when it is known',
  },
  profile: { what: 'E-mail address and name', why: 'to know you and to tell you what happens' },
  wallet: {
    what: 'Cards, agents, limits, merchant rules and remembered approvals',
    why: 'you set them up, so that agents pay as you want',
  },
  ageProofs: {
    what: 'That you have proven an age, who says so and until when',
    why: 'agents buy where buyers must have reached an age',
  },
  contacts: { what: 'Channels, hours, events and phone', why: 'to tell you what happens where you want to hear it' },
  credentials: {
    what: 'Passkeys (public keys only) and recovery codes',
    why: 'to sign you in, and for you to confirm',
  },
  tokenFamilies: { what: 'Access that agents were given', why: 'a stolen token that is used late is recognized' },
  messages: { what: 'Messages to you, sealed', why: 'for questions about one that did or did not arrive' },
  pushedRequests: { what: 'What agents asked for', why: 'a request that is repeated late is recognized' },
  presentationRequests: {
    what: 'What wallets showed at the request of others, sealed',
    why: 'the server that asked fetches the result',
  },
  codes: { what: 'Codes that agents turn into access', why: 'a code that is used twice ends what it led to' },
  credentialOffers: {
    what: 'Offers of credentials to your wallet',
    why: 'an offer that is used late is recognized; what it says of you goes when it is redeemed',
  },
  issuedCredentials: {
    what: 'Which credentials your wallet fetched, without their claims',
    why: 'they can be revoked, and it is known which were',
  },
  magicLinks: { what: 'Mailed links that confirm a request', why: 'a link that is used late is recognized' },
  tokenReplies: { what: 'Answers to agents, sealed', why: 'the same request gets the same answer' },
  replayKeys: { what: 'Marks of used proofs', why: 'each proof is taken once' },
  signInRequests: { what: 'Sign-in links', why: 'to sign you in' },
  sessions: {
    what: 'Sign-ins: when, how and from which kind of device',
    why: 'to keep you signed in, and so that you find one that was not yours',
  },
  challenges: { what: 'Questions to your passkeys', why: 'to sign you in, and for you to confirm' },
  mailedLinks: { what: 'Links that confirm or undo a change', why: 'a change of your address can be undone' },
  phoneCodes: { what: 'Codes that confirm a phone', why: 'a phone counts once it is confirmed' },
  privacyRequests: {
    what: 'Your privacy requests: kind, time, result, and whether an app made them',
    why: 'they prove that you were answered in time',
  },
  privacyReplies: { what: 'Answers to privacy requests, sealed', why: 'the same request gets the same answer' },
  doneJobs: { what: 'Work that is done, without personal data', why: 'operators look back at what happened' },
} as const satisfies Words

export const keptText = {
  title: 'What is kept, and why',
  /**
   * The retention period, in days after the data has ended; 0 for only until then, null for as long as the service
   * exists.
   */
  kept: (days: number | null) =>
    days === null
      ? 'as long as there is the service'
      : days === 0
        ? 'until it ends'
        : `${days} ${days === 1 ? 'day' : 'days'} after its end`,
  untilErased: 'until you change or erase it',
  grounds: {
    b: 'needed for what you use',
    c: 'required by law',
    f: 'to protect you and merchants',
  },
  kinds,
  erase: {
    title: 'Erase your data',
    description: 'This cannot be taken back. Read what goes and what stays.',
    back: 'Privacy',
    goes: 'What goes',
    goesAtOnce: 'Your agents, sessions and passkeys end at once. Your cards are deleted at the card processor, too.',
    emptied: 'What stays without what identifies you',
    stays: 'What stays, and why',
    finish: 'A payment that is under way is finished first, and stays countable.',
    field: {
      email: (address: string) => `Type your address ${address} to go on`,
      name: (name: string) => `Type your name ${name} to go on`,
      id: (id: string) => `Type your account ID ${id} to go on`,
    },
    wrong: 'That is not the same.',
    button: 'Erase everything',
    confirm:
      'You confirm with a passkey, or by having just signed in with a mailed link. If you have an e-mail address here, a last mail confirms it.',
  },
  erased: {
    title: 'Your data is erased',
    body: 'Your agents, sign-ins and cards have ended, and what identifies you is deleted.',
    stays: 'Payments, mandates and the log of what happened stay without your name and address, as the law requires.',
  },
} as const

export const keptTexts: Texts<typeof keptText> = {
  en: keptText,
  de: () => import('./kept-messages.de').then((german) => german.keptTextDe),
}
