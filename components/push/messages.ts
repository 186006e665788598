import type { Texts } from '@/components/i18n/texts'

export const pushText = {
  title: 'This device',
  on: 'On',
  off: 'Off',
  states: {
    on: 'What waits for you appears here, also while no page is open.',
    off: 'Nothing appears here while no page is open.',
    unsupported: 'This browser takes no messages.',
  },
  install: {
    title: 'Add to Home Screen first',
    share: 'Press the Share button.',
    add: 'Choose “Add to Home Screen”.',
    open: 'Open Countersign from there and turn it on here.',
  },
  blocked: 'This browser blocks messages from this page. Allow them in its settings, then try again.',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  turnOffOf: (device: string) => `Turn off messages on ${device}`,
  ask: {
    title: 'Show messages on this device?',
    body: 'They show what waits for you, with amounts and shops unless you hide them. Deciding still needs you to sign in. Messages end here when you sign out.',
  },
  full: 'You have ten devices already. Turn off messages on one first.',
  devices: 'Devices',
  unknown: 'Unknown browser',
  name: (browser: string, system: string) => `${browser} on ${system}`,
  thisOne: 'This device',
  never: 'No message yet',
  lastOk: 'Last message',
  failing: 'Has taken no messages since',
  test: {
    button: 'Send a test',
    of: (device: string) => `Send a test to ${device}`,
    accepted: (time: string) => `Accepted by the push service at ${time}.`,
    failed: 'The push service did not take it. We try again with the next message.',
    gone: 'This browser takes no messages any more. It was removed.',
  },
  hide: {
    label: 'Hide amounts and shops on the lock screen',
    hint: 'Messages then say: Something waits for you.',
  },
} as const

export const pushTexts: Texts<typeof pushText> = {
  en: pushText,
  de: () => import('./messages.de').then((german) => german.pushTextDe),
}
