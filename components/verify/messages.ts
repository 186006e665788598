import type { Texts } from '@/components/i18n/texts'

export const verifyText = {
  title: 'Check evidence about a payment',
  lead: 'Choose a file of evidence. It is checked in this browser: nothing is sent anywhere, and it also works offline once this page is open.',
  file: 'File of evidence',
  fileHint: 'A JSON file. You can also drop it here.',
  paste: 'Or paste its text',
  keys: 'Keys that you trust (optional)',
  keysHint:
    'The JSON of the server’s /oauth/jwks.json, which you got from the server itself. Without it, the keys in the file are used: then the check shows that the file fits together, not who made it.',
  submit: 'Check',
  verdict: {
    proven: 'Proven',
    consistent: 'Consistent in itself, not yet trusted',
    incomplete: 'Not proven',
    wrong: 'Wrong',
  },
  status: {
    wrong: 'Wrong',
    missing: 'Not proven',
    proven: 'Proven',
    stated: 'Only the server says so',
  },
  unreadable: 'This could not be checked',
  tooLarge: 'The file is too large to be evidence.',
  insecure: 'This browser checks signatures only on pages that were loaded over HTTPS.',
  command: 'The same check on your computer: npx @countersign/verify evidence.json --jwks jwks.json',
} as const

export const verifyTexts: Texts<typeof verifyText> = {
  en: verifyText,
  de: () => import('./messages.de').then((german) => german.verifyTextDe),
}
