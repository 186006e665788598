/** The texts of messages about changes that an intruder would make first. */
export const securityTexts = {
  changes: {
    passkey_added: {
      subject: 'A passkey was added to your wallet',
      text: (name: string) => `The passkey ${name} can now sign in to your wallet and confirm for you.`,
    },
    passkey_removed: {
      subject: 'A passkey was removed from your wallet',
      text: (name: string) => `The passkey ${name} can no longer sign in to your wallet or confirm anything.`,
    },
    passkey_required: {
      subject: 'Approvals now need a passkey',
      text: () =>
        'From now on nothing is approved for you without one of your passkeys or a wallet app that you added with one.',
    },
    passkey_not_required: {
      subject: 'Approvals no longer need a passkey',
      text: () => 'From now on apps that you have connected to your wallet may approve without one of your passkeys.',
    },
    passkeys_reset: {
      subject: 'Your passkeys were removed',
      text: () => 'The operator of your wallet removed all of your passkeys and signed you out everywhere.',
    },
    recovery_codes_made: {
      subject: 'Recovery codes were made for your wallet',
      text: () =>
        'Anyone who has one of them and reads your mail can add a passkey. Codes that were made before are void.',
    },
    recovery_code_used: {
      subject: 'A recovery code of your wallet was used',
      text: () => 'Somebody signed in by e-mail and used one of your recovery codes in order to add a passkey.',
    },
  },
  look: (link: string) => `If that was not you, look at your passkeys and sessions now: ${link}`,
  undo: (link: string) =>
    `If that was not you, open this link and confirm there that the passkey is removed and what it signed in is signed out. The link works once, for 72 hours: ${link}`,
  operator: {
    evidence_read: {
      subject: 'The operator read the proof of one of your payments',
      text: 'The operator of your wallet opened the proof of one of your payments. It says what was bought, where, for how much and how you agreed to it. Operators need it when a payment is disputed.',
    },
    credential_revoked: {
      subject: 'The operator revoked a credential of yours',
      text: 'The operator of your wallet revoked a credential that a wallet app of yours keeps. It proves nothing any more.',
    },
  },
  operatorEntry: (link: string) => `Your security activity has the entry: ${link}`,
  age: {
    proven: {
      subject: 'Your age was proven',
      text: 'A wallet app proved your age. Your agents can now buy where buyers must have reached it.',
    },
    removed: {
      subject: 'The proof of your age was removed',
      text: 'Your agents can no longer buy where buyers must have reached an age.',
    },
  },
  ageLook: (link: string) => `If that was not you, look at it now: ${link}`,
}
