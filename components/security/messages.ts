import type { Texts } from '@/components/i18n/texts'

export const securityText = {
  title: 'Security',
  description: 'How you prove that it is you, and where you are signed in.',
  activity: 'Security activity',
  passkeys: {
    title: 'Passkeys',
    description:
      'A passkey is a key on your phone, computer or security key that opens with your fingerprint, face or PIN. It signs you in and confirms approvals, and cannot be used on a false copy of this site.',
    unavailable:
      'Passkeys need a host name. This installation is reached by an IP address, so you sign in and confirm by e-mail.',
    none: {
      title: 'No passkey yet',
      body: 'Without one you confirm approvals by having signed in with a mailed link just now.',
    },
    second:
      'Add a second passkey on another device. If you lose the only one, you need a recovery code or the operator’s help to add another.',
    created: 'Added',
    used: 'last used',
    unused: 'not used yet',
    synced: 'Synced to your devices',
    rename: 'Rename',
    renameOf: (name: string) => `Rename ${name}`,
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    save: 'Save name',
    cancel: 'Cancel',
  },
  add: {
    name: 'Name of the new passkey',
    hint: 'So that you recognise it, for instance Phone or Blue security key.',
    missing: 'Give the passkey a name.',
    notPlain: 'Use plain text in one line.',
    cardNumber: 'This looks like a card number. Leave it out.',
    suggestion: (number: number) => `Passkey ${number}`,
    button: 'Add a passkey',
    done: (name: string) => `${name} was added. We have mailed you about it.`,
    known: 'This device already holds one of your passkeys.',
    full: 'You have the maximum number of passkeys. Remove one that you no longer use to add another.',
  },
  removal: {
    title: (name: string) => `Remove the passkey “${name}”?`,
    body: 'It can no longer sign you in or confirm anything. You confirm the removal with one of your passkeys, and we mail you about it. Delete it on the device, too.',
    last: 'It is your last passkey. After that you confirm by signing in with a link that is mailed to you.',
    confirm: 'Remove passkey',
    done: (name: string) => `${name} was removed. We have mailed you about it.`,
    keepRequired:
      'Approvals need a passkey, so the last one cannot be removed. Add another one or turn that off first.',
    keepOnly: 'It is the only way to sign in, so it cannot be removed. Add another one first.',
  },
  required: {
    title: 'Approvals',
    label: 'Require a passkey for approvals',
    hint: 'Nothing is approved for you without one of your passkeys or a wallet app that you added with one, not even by an app that you have connected to your wallet. Turning this off again needs a passkey, too.',
    needsOne: 'Add a passkey first.',
  },
  sessions: {
    title: 'Where you are signed in',
    description: 'A session ends by itself when nobody uses it for 15 minutes.',
    device: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'Unknown device',
    current: 'This one',
    method: {
      magic_link: 'Signed in with a mailed link',
      passkey: 'Signed in with a passkey',
      demo: 'Signed in with the demo button',
    },
    used: 'last used',
    end: 'Sign out',
    endOf: (device: string) => `Sign out ${device}`,
    ended: (device: string) => `${device} was signed out.`,
    endOthers: 'Sign out all others',
    endAll: 'Sign out everywhere',
    others: (count: number) => (count === 1 ? '1 other session was ended.' : `${count} other sessions were ended.`),
  },
  recovery: {
    title: 'If you lose a passkey',
    steps: [
      'Confirm its removal here with another of your passkeys.',
      'If it was the only one, sign in with a link that is mailed to you. You can look at everything, decline and freeze, and add a passkey with a recovery code.',
      'Without a recovery code, what a passkey confirms has to wait until the operator of this wallet has made sure that it is you and removed the lost one.',
      'If you think that somebody else has it, sign out everywhere.',
    ],
    codes: 'Recovery codes',
    codesBody:
      'Each code adds one passkey, together with a link that is mailed to you, and does nothing else. Keep them on paper or in a password manager, not in your mailbox.',
    left: (count: number) => (count === 1 ? '1 code left' : `${count} codes left`),
    made: 'made',
    make: 'Make recovery codes',
    makeNew: 'Make new recovery codes',
    keep: 'Keep these codes. They are not shown again.',
    kept: 'I have kept them',
    lost: 'Lost your passkey?',
    lostBody: 'Enter one of your recovery codes to add a passkey on this device. We mail you about it.',
    code: 'Recovery code',
    missing: 'Enter a recovery code.',
    use: 'Use this code',
  },
} as const

export const securityTexts: Texts<typeof securityText> = {
  en: securityText,
  de: () => import('./messages.de').then((german) => german.securityTextDe),
}
