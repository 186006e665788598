import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const filesBelow = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file))

/** What runs in production: the service, its pages and its entry points, and what `npm start` does around them. */
const sources = ['server', 'app', 'components', 'scripts/start']
  .flatMap(filesBelow)
  .concat('proxy.ts', 'instrumentation.ts', 'server.mjs')
  .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.(?:test|contract)\.ts$|test-support/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))

const using = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

/** Each may be used in these files alone, and safely there. */
const dangerous: readonly [what: string, pattern: RegExp, files: readonly string[]][] = [
  ['code from text', /\beval\(|\bFunction\(|node:vm/, []],
  ['markup from text', /dangerouslySetInnerHTML|(?:inner|outer)HTML|insertAdjacentHTML|document\.write/, []],
  ['regular expressions from text', /\bRegExp\(/, ['server/shared/notifications/foreign-words.ts']],
  [
    'other programs',
    /child_process/,
    [
      'scripts/start/attend.mjs',
      'scripts/start/build.mjs',
      'scripts/start/open-browser.mjs',
      'scripts/start/port.mjs',
      'server/base/platform/database/data-directory-lock.ts',
    ],
  ],
  ['messages between windows, and WebSockets', /postMessage|onmessage|\bWebSocket\b/, []],
  [
    'storage of the browser',
    /(?:local|session)Storage\.|window\.sessionStorage|indexedDB/,
    [
      'components/layout/kept-page.ts',
      'components/lib/address-token.ts',
      'components/push/browser.ts',
      'components/sign-in/return-path.ts',
    ],
  ],
  ['guessable random numbers', /Math\.random/, []],
  [
    'certificates that are not verified',
    /rejectUnauthorized: (?!true)|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/,
    [],
  ],
  ['hashes other than SHA-2', /(?:createHash|createHmac|\bhash)\('(?!sha256'|sha512')/, []],
  [
    'ciphers',
    /createCipher|createDecipher|(?:public|private)Encrypt\b|subtle\.(?:en|de)crypt|\b(?:compact|flattened|general|jwt)Decrypt\b|'next-auth\/jwt'/,
    [
      'server/base/platform/keys/sealer.ts',
      'server/base/protocol/request-object.ts',
      'server/base/protocol/web-push.ts',
      'server/identity/sessions/cookie.ts',
    ],
  ],
]

describe('the sources', () => {
  test('the sources are found', () => {
    expect(sources.length).toBeGreaterThan(500)
  })

  test.each(dangerous)('the sources use %s only where that is known to be safe', (_what, pattern, files) => {
    expect(using(pattern).toSorted()).toEqual(files)
  })

  test('the service asks other servers in known places only, and follows no redirect', () => {
    // Pages ask the server that they came from alone, to which their policy holds them.
    const asking = using(/\bfetch\(/).filter((file) => !file.startsWith('components/'))
    expect(asking.toSorted()).toEqual([
      'scripts/start/port.mjs',
      'server/base/platform/mailer/rcs.ts',
      'server/base/platform/processor/sandbox/delivery.ts',
    ])
    const dialling = using(
      /import (?!type )(?:\w|\* as|\{[^}]*\b(?:request|get|connect|createConnection|Socket|Agent)\b)[^']*from 'node:(?:https?|net|tls|http2|dgram)'/,
    )
    expect(dialling).toEqual(['server/base/platform/outbound.ts'])
    const clients = using(
      /(?:^import (?!type )[^']*from |\bimport\()'(?:@prisma\/adapter-pg|ioredis|nodemailer|pg|redis|stripe|undici|ws)(?:\/[^']*)?'/m,
    )
    expect(clients.toSorted()).toEqual([
      'server/base/platform/cache/redis.ts',
      'server/base/platform/database/postgres.ts',
      'server/base/platform/mailer/smtp.ts',
      'server/base/platform/processor/sandbox/index.ts',
      'server/base/platform/processor/stripe-errors.ts',
      'server/base/platform/processor/stripe.ts',
      'server/base/platform/processor/webhook-signature.ts',
    ])
    for (const { file, text } of sources.filter((source) => asking.includes(source.file))) {
      expect(text.match(/redirect: 'error'/g), file).toHaveLength(text.match(/\bfetch\(/g)?.length ?? 0)
    }
  })
})
