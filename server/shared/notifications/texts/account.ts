/** The texts of mails about signing in and about a person's data. */
export const accountTexts = {
  signIn: {
    subject: 'Sign in to Countersign',
    text: (link: string) =>
      `Open this link to sign in. It works once, for 15 minutes: ${link}\n\nIn another browser than the one in which you asked for it, it also asks for the code that is shown there. Never give that code to anybody.\n\nIf you did not request it, ignore this message: it signs nobody in by itself.`,
  },
  data: {
    subject: 'The data that you asked for',
    text: 'The attached file holds what is stored about you, as you asked for it. Keep it to yourself. If you did not ask for it, sign in and look at which agents have access to your wallet.',
  },
  erased: {
    subject: 'Your wallet was erased',
    text: 'Your wallet was erased as you asked: what identifies you is deleted, your agents and sign-ins have ended, and your cards are deleted at the card processor too. Payments, mandates and the log of what happened stay without your name and address, as the law requires and as proof. A payment that was under way is finished.\n\nThis is the last message to this address, and its copy here is deleted once it is sent.',
  },
}
