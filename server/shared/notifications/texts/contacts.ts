/** The texts of messages about a person's e-mail address, phone and devices. */
export const contactTexts = {
  phone: {
    subject: 'A new phone number was entered for your wallet',
    text: (digits: string, link: string) =>
      `A phone number ending in ${digits} was entered for your wallet. It is used once the code that we sent to it was entered; until then nothing changes. If that was not you, take it out again and look at where you are signed in: ${link}`,
  },
  email: {
    subject: 'The e-mail address of your wallet is being changed',
    asked:
      'Another e-mail address was requested from a session of your wallet. Once that address is confirmed, sign-in links and messages go there instead of here.',
    look: (link: string) => `If that was not you, look at where you are signed in: ${link}`,
    undo: (link: string) =>
      `If that was not you, open this link and confirm there that the change is undone and what signed in since is signed out. The link works once, for 72 hours, also when the change is done by then: ${link}`,
  },
  undone: {
    undo_email: {
      subject: 'The change of your e-mail address was undone',
      text: 'The e-mail address from before the last change is in use again, and what was added since is removed.',
    },
    undo_passkey: {
      subject: 'A new passkey was removed again from your wallet',
      text: 'The passkey that was added last is removed, and so is what was added with it.',
    },
    look: (link: string) =>
      `This was confirmed in a session of your wallet. If that was not you, look at what happened: ${link}`,
  },
  devices: {
    added: {
      subject: 'Messages of your wallet were turned on in a browser',
      text: (device: string) =>
        `Messages about your wallet now also appear on ${device}. They show what waits for you; deciding still needs you to sign in.`,
    },
    removed: {
      subject: 'Messages of your wallet were turned off in a browser',
      text: (device: string) => `Messages about your wallet no longer appear on ${device}.`,
    },
    unknown: 'a browser that we do not know',
    look: (link: string) => `If that was not you, look at your devices and at where you are signed in: ${link}`,
  },
  mailOff: {
    subject: 'Your wallet no longer sends you mail',
    text: (link: string) =>
      `Mail was switched off for your wallet. Only sign-in links, confirmations and changes of security are still mailed. If that was not you, switch it on again and look at where you are signed in: ${link}`,
  },
  muted: {
    subject: 'Your wallet sends you fewer messages',
    text: (link: string) =>
      `Messages about payments or disputes were switched off for your wallet. If that was not you, switch them on again and look at where you are signed in: ${link}`,
  },
  quietHours: {
    subject: 'The quiet hours of your wallet were changed',
    text: (link: string) =>
      `Quiet hours that hold requests back, or are longer than 12 hours, were set for your wallet. Messages wait until these hours end, and requests that wait too may expire by then. If that was not you, change the quiet hours and look at where you are signed in: ${link}`,
  },
  newAddress: {
    subject: 'Confirm this e-mail address for a wallet',
    text: (link: string) =>
      `This e-mail address was given for a wallet. Open this link to see whose and to confirm it. It works once, for 24 hours: ${link}\n\nIf that was not you, ignore this message: nothing changes without your confirmation.`,
  },
  knownAddress: {
    subject: 'Nothing has changed about your wallet',
    text: 'This e-mail address was given for another wallet. It belongs to yours already, so nothing has happened, and you need not do anything.',
  },
  code: (code: string) =>
    `${code} is the code that confirms this phone for a Countersign wallet. It is valid for 10 minutes. Enter it only if you have just given this number there, and tell it to nobody.`,
  test: {
    subject: 'Test message from Countersign',
    text: (link: string) => `You asked for a test message, and this is it. Nothing waits for you. Your choice: ${link}`,
  },
}
