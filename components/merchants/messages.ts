import type { Texts } from '@/components/i18n/texts'

export const merchantsText = {
  title: 'Merchants',
  description: 'Where your agents may ask to buy. A rule holds from now on, also for purchases that are under way.',
  allAgents: 'All agents',
  unknownAgent: 'An agent',
  empty: {
    title: 'No rules: every verified merchant can ask',
    body: 'Block a merchant that no agent should use, or allow some and turn on “Only my list”.',
  },
  emptyList: {
    title: 'Your list is empty: no merchant can ask',
    body: 'Allow a merchant below, or turn off “Only my list”.',
  },
  rules: 'Your rules',
  allowed: 'Allowed',
  blocked: 'Blocked',
  since: 'since',
  remove: 'Remove',
  removeName: (verdict: string, merchant: string, agent: string) => `Remove: ${verdict} ${merchant}, ${agent}`,
  gate: {
    title: 'Only my list',
    label: 'Only merchants on my list can ask',
    hint: 'Every other merchant is refused without asking you.',
    confirm: {
      title: 'Turn on “Only my list”?',
      button: 'Turn on',
      nothing: 'Nothing that you approved before stops.',
    },
    off: {
      title: 'Turn off “Only my list”?',
      body: 'Every merchant that you have not blocked can ask again.',
      from: 'Only my list',
      to: 'All but blocked merchants',
    },
    stops: 'These stop working, because they are not on your list:',
    upTo: (amount: string) => `up to ${amount}`,
    stopped: 'Not on your list',
    stoppedHint: 'Your agents could buy there without asking. With “Only my list” they cannot.',
    allow: 'Allow',
    allowName: (merchant: string, agent: string) => `Allow ${merchant} for ${agent}`,
    emptyList: 'Your list is empty, so no merchant could ask at all.',
  },
  relaxed: {
    title: 'Let agents buy here?',
    body: 'They can ask for purchases at this merchant from now on. Your limits and approvals hold as before.',
    none: 'No rule',
  },
  directory: {
    label: 'Find a merchant',
    hint: 'By name or address, in the directory of verified merchants.',
    results: 'Verified merchants',
    verified: 'Verified',
    choose: 'Make a rule',
    chooseName: (merchant: string) => `Make a rule for ${merchant}`,
    none: 'No verified merchant has that name. You can still enter its address below.',
    found: (count: number) => (count === 1 ? 'One merchant found.' : `${count} merchants found.`),
    more: 'These are the first 20. Type more of the name to see others.',
  },
  form: {
    title: 'Add a rule',
    address: 'The merchant’s address',
    addressHint: 'As it is shown with a request, for instance https://shop.example.',
    addressMissing: 'Enter the merchant’s address.',
    addressBad: 'Enter an address that begins with https://, for instance https://shop.example.',
    who: 'For',
    verdict: 'What should happen',
    allow: { label: 'Allow', hint: 'Exactly this address is on your list. Your limits and approvals hold as before.' },
    deny: {
      label: 'Block',
      hint: 'Its requests are refused without asking you, also those of every address beneath it. Blocking beats allowing.',
    },
    save: 'Save rule',
    saved: 'Saved. It holds from now on.',
  },
  block: {
    button: 'Block this merchant',
    done: (merchant: string) => `${merchant} is blocked`,
    doneBody: 'None of your agents can buy there any more.',
    paymentStays: 'This payment stays as it is.',
    see: 'See your merchants',
  },
} as const

export const merchantsTexts: Texts<typeof merchantsText> = {
  en: merchantsText,
  de: () => import('./messages.de').then((german) => german.merchantsTextDe),
}
