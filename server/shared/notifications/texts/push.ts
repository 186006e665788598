/** The texts of push messages. */
export const pushTexts = {
  purchase: (what: string, code: string) => ({ title: `${what}?`, body: `Match code ${code}. Open to decide.` }),
  limit: (what: string) => ({ title: `${what}?`, body: 'It is over your limits. Open to decide.' }),
  bank: (what: string) => ({ title: `${what}?`, body: 'Your bank asks you to confirm it. Open to decide.' }),
  access: (code: string) => ({ title: 'An agent asks for access', body: `Match code ${code}. Open to decide.` }),
  security: { title: 'The security of your wallet was changed', body: 'If that was not you, open and look at it.' },
  payments: { title: 'There is news about a payment', body: 'Open to see it.' },
  near_limit: { title: 'A limit is nearly used or used up', body: 'Open to see what is left.' },
  disputes: { title: 'There is news about a dispute', body: 'Open to see it.' },
  test: { title: 'Test message', body: 'Messages arrive on this device. Nothing waits for you.' },
  hidden: { title: 'Something waits for you', body: 'Open to see it.' },
  to: (money: string, shop: string) => `${money} to ${shop}`,
}
