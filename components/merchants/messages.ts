import type { Texts } from '@/components/i18n/texts'

export const merchantsText = {
  title: 'Merchants',
  description: 'Where your agents may ask to buy, and where they pay without asking you.',
  allAgents: 'All agents',
  unknownAgent: 'An agent',
  emptyList: {
    title: 'Your list is empty: no merchant can ask',
    body: 'Allow a merchant below, or turn off “Only your list”.',
  },
  allowed: 'Allowed',
  onList: 'On your list',
  blocked: 'Blocked',
  since: 'since',
  verified: 'Verified merchant',
  notVerified: 'Not verified',
  remove: 'Remove',
  removeName: (verdict: string, merchant: string, agent: string) => `Remove: ${verdict} ${merchant}, ${agent}`,
  who: {
    title: 'Who can ask',
    any: 'Any shop',
    anyHint: 'All but those that you blocked.',
    verified: 'Verified shops',
    verifiedHint: (count: number) => (count === 1 ? '1 shop of the directory' : `${count} shops of the directory`),
    listed: 'Only your list',
    listedHint: (count: number) => (count === 1 ? '1 shop' : `${count} shops`),
    outside: {
      allow:
        'Shops outside the directory can ask too and are marked “Not verified”; one that lost its verification cannot.',
      refuse: 'Shops outside the directory cannot ask here.',
    },
    outsideOfList: {
      allow: 'Shops outside the directory can ask once they are on your list.',
      refuse: 'Shops outside the directory cannot ask here, even from your list.',
    },
  },
  unasked: {
    title: 'Paid without asking',
    every_purchase: 'You want to be asked about every purchase, so nothing is paid without asking.',
    new_merchants:
      'You approved a purchase of this agent there before. Above the amount, or above a limit, you are asked.',
    above_limits: 'You want to be asked only above your limits, so every shop that can ask is paid within them.',
    none: 'No purchase was approved at a shop yet.',
    forget: 'Forget',
    forgetName: (merchant: string, agent: string) => `Forget ${merchant} for ${agent}`,
    suspended: {
      rule: 'refused now by your rules',
      unlisted: 'refused now, outside the directory',
      changed: 'asked about now, since the shop’s name or your card changed',
    },
  },
  noneBlocked: 'No shop is blocked.',
  gate: {
    confirm: {
      title: 'Turn on “Only your list”?',
      button: 'Turn on',
      nothing: 'Nothing that you approved before stops.',
    },
    off: {
      title: 'Turn off “Only your list”?',
      body: 'Merchants that you have not blocked can ask again.',
      from: 'Only your list',
    },
    stops: 'These stop working, because they are not on your list:',
    upTo: (amount: string) => `up to ${amount}`,
    stopped: 'Not on your list',
    stoppedHint: 'Your agents could buy there without asking. With “Only your list” they cannot.',
    allow: 'Allow',
    allowName: (merchant: string, agent: string) => `Allow ${merchant} for ${agent}`,
    emptyList: 'Your list is empty, so no merchant could ask at all.',
  },
  relaxed: {
    title: 'Let agents buy here?',
    body: 'They can ask for purchases at this merchant, unless another rule blocks it. Your limits and approvals hold as before.',
    none: 'No rule',
  },
  directory: {
    label: 'Find a merchant',
    hint: 'By name or address, in the directory of verified merchants.',
    results: 'Verified merchants',
    verified: 'Verified merchant',
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
