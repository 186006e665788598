/** The texts of messages about requests that wait for their person. */
export const requestTexts = {
  access: { subject: 'An agent asks for access', wish: 'An agent asks to see or change your wallet.' },
  purchase: {
    subject: 'An agent wants to buy something',
    wish: (money: string, shop: string) => `An agent asks to pay ${money} to ${shop}.`,
  },
  excess: {
    subject: (money: string) => `A payment of ${money} is over your limits`,
    wish: (money: string, shop: string) => `One of your agents wants to pay ${money} to ${shop}. Nothing was charged.`,
    decide: (link: string) => `Allow it once, or decline: ${link}`,
  },
  bank: {
    subject: (money: string, shop: string) => `Your bank wants you to confirm ${money} to ${shop}`,
    wish: (money: string, shop: string, card: string) =>
      `Your agent is paying ${money} to ${shop} with ${card}. Your bank asks you to confirm it, so nothing is charged until you do.`,
    decide: (minutes: number, link: string) => `Confirm or decline within ${minutes} minutes: ${link}`,
  },
  confirmed: {
    subject: (money: string, shop: string) => `Confirm: an agent wants to pay ${money} to ${shop}`,
    accessSubject: 'Confirm: an agent wants to use your wallet',
    wish: (money: string, shop: string) =>
      `An agent wants to pay ${money} to ${shop}. Your rules allow it; it has to be confirmed by e-mail.`,
    accessWish: 'An agent wants to use your wallet. Your rules allow it; it has to be confirmed by e-mail.',
    decide: (minutes: number, link: string) => `Look at it and confirm within ${minutes} minutes: ${link}`,
    ifNothing: 'If you do nothing, nothing happens.',
  },
  agent: (name: string) => `Agent: ${name}`,
  shop: (address: string, verified: boolean) => `Shop: ${address} (${verified ? 'Verified merchant' : 'Not verified'})`,
  decide: (link: string) => `Look at the request and decide: ${link}`,
  ifNothing: 'If you do nothing, nothing is charged.',
  exceeded: {
    title: (limits: number) => `Over ${limits} of your limits:`,
    line: (what: string, asked: string, limit: string) => `- ${what}: ${asked}, limit ${limit}`,
    agentLine: (what: string, asked: string, limit: string) => `- ${what}: ${asked}, limit of this agent ${limit}`,
    kinds: {
      single_txn_cap: 'One payment',
      daily_cap: 'Today',
      weekly_cap: 'This week',
      monthly_cap: 'This month',
      velocity: 'Number of payments',
    },
    once: 'Approving allows this purchase once. Your limits stay.',
  },
}
