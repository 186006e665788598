import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, type Environment, readConfig } from './config'

function newDataDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-config-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'data')
}
const read = (env: Environment) => readConfig({ DATA_DIR: newDataDir(), ...env })

function problemsOf(env: Environment): readonly string[] {
  try {
    read(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

const secrets = {
  OPERATOR_TOKEN: 'operator-token-0123456789',
  PROCESSOR_WEBHOOK_SECRET: 'whsec_0123456789abcdefghij',
  RCS_CALLBACK_SECRET: 'rcs-callback-0123456789abc',
  KEY_ENCRYPTION_KEY: '5e77e1c0ffee3a9b'.padEnd(64, '0123456789abcdef'),
}

describe('bearer tokens at wallet endpoints', () => {
  const production = {
    ...secrets,
    BASE_URL: 'https://pay.example.com',
    SANDBOX: 'false',
    DATABASE_URL: 'postgres://u:p@db/x',
  }

  test.each<[string, Record<string, string>, boolean]>([
    ['taken in the sandbox', {}, false],
    ['refused outside it', production, true],
    ['refused in a sandbox that says so', { REQUIRE_DPOP: 'true' }, true],
    ['taken outside it where that is said', { ...production, REQUIRE_DPOP: 'false' }, false],
  ])('B8 bearer tokens are %s', (_name, environment, requireDpop) => {
    expect(read(environment)).toMatchObject({ requireDpop })
  })
})

describe('an empty environment', () => {
  test('an empty environment starts the sandbox on the embedded database', () => {
    const config = read({})
    expect(config).toMatchObject({
      port: 3000,
      baseUrl: 'http://localhost:3000',
      sandbox: true,
      isSandboxPublic: false,
      unlistedMerchants: 'allow',
      listenHosts: ['127.0.0.1', '::1'],
      allowedHosts: [],
      databaseUrl: null,
      redisUrl: null,
      smtpUrl: null,
      rcs: null,
      mailFrom: 'Countersign <no-reply@localhost>',
      operatorContact: null,
      accessTokenTtlSeconds: 300,
      mandateTtlSeconds: 300,
      legacyRs256Until: null,
      requireDpop: false,
      requestsPerMinute: 60_000,
      registrationsPerMinute: 3_000,
      signInLinksPerMinute: 20,
      trustedProxies: 0,
      shutdownGraceSeconds: 5,
      startTimeoutSeconds: 60,
      magicLinkGate: false,
      logLevel: 'info',
      databasePoolSize: 10,
      stripeSecretKey: null,
      stripePublishableKey: null,
      stripeApiBase: null,
      operatorTokenConfigured: false,
    })
    expect(config.switchDefaults).toEqual({
      federation: false,
      consent_scan: true,
      settlement: true,
      processor_webhook: true,
      presentation_verify: true,
      presentation_request: true,
      status_list: true,
      card_enrolment: true,
    })
  })

  test('a start makes missing secrets once, for the owner only', () => {
    const dataDir = newDataDir()
    const first = read({ DATA_DIR: dataDir })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    const names = readdirSync(dataDir)
    expect(names.toSorted()).toEqual([
      'key-encryption-key',
      'operator-token',
      'processor-webhook-secret',
      'rcs-callback-secret',
    ])
    for (const name of names) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
    expect(first.secrets.keyEncryptionKeys).toMatchObject([{ length: 32 }])
    expect(readFileSync(join(dataDir, 'operator-token'), 'utf8').trim()).toBe(first.secrets.operatorToken)
    expect(read({ DATA_DIR: dataDir }).secrets).toEqual(first.secrets)
  })

  test('a start never replaces a kept key that it cannot read', () => {
    const dataDir = newDataDir()
    read({ DATA_DIR: dataDir })
    writeFileSync(join(dataDir, 'key-encryption-key'), 'damaged\n')
    expect(() => read({ DATA_DIR: dataDir })).toThrow(/key-encryption-key does not hold a key of 32 bytes/)
    expect(readFileSync(join(dataDir, 'key-encryption-key'), 'utf8')).toBe('damaged\n')
  })
})

describe('given values', () => {
  test('given values win over the defaults', () => {
    const dataDir = newDataDir()
    const config = readConfig({
      ...secrets,
      DATA_DIR: dataDir,
      PORT: '8080',
      BASE_URL: 'https://Pay.Example.com/',
      SANDBOX: 'false',
      DATABASE_URL: 'postgres://u:p@db/x',
      DATABASE_POOL_SIZE: '20',
      REDIS_URL: 'redis://cache',
      SMTP_URL: 'smtps://mail',
      ACCESS_TOKEN_TTL_SECONDS: '120',
      LEGACY_RS256_UNTIL: '2027-01-01',
      REQUIRE_DPOP: '1',
      MAGIC_LINK_GATE: 'true',
      LOG_LEVEL: 'warn',
      SWITCH_FEDERATION: 'true',
      SWITCH_SETTLEMENT: 'false',
    })
    expect(config).toMatchObject({
      baseUrl: 'https://pay.example.com',
      sandbox: false,
      unlistedMerchants: 'refuse',
      databasePoolSize: 20,
      mailFrom: 'Countersign <no-reply@pay.example.com>',
      accessTokenTtlSeconds: 120,
      legacyRs256Until: new Date('2027-01-01T00:00:00Z'),
      requireDpop: true,
      magicLinkGate: true,
      operatorTokenConfigured: true,
      secrets: {
        operatorToken: secrets.OPERATOR_TOKEN,
        metricsToken: null,
        processorWebhook: secrets.PROCESSOR_WEBHOOK_SECRET,
        rcsCallback: secrets.RCS_CALLBACK_SECRET,
        keyEncryptionKeys: [Buffer.from(secrets.KEY_ENCRYPTION_KEY, 'hex')],
      },
    })
    expect(config.switchDefaults).toMatchObject({ federation: true, settlement: false, consent_scan: true })
    expect(() => readdirSync(dataDir), 'nothing had to be made').toThrow('ENOENT')
  })

  test('an empty variable is one that is not set', () => {
    expect(read({ PORT: '', DATABASE_URL: '', OPERATOR_TOKEN: '' })).toMatchObject({ port: 3000, databaseUrl: null })
  })

  test('the port is part of the default address', () => {
    expect(read({ PORT: '4000' }).baseUrl).toBe('http://localhost:4000')
  })

  test('the webhook secret has a second name', () => {
    expect(read({ STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdefghij' }).secrets.processorWebhook).toBe(
      'whsec_0123456789abcdefghij',
    )
  })

  test('Stripe is two keys, and its own address unless another one is given', () => {
    const keys = { STRIPE_SECRET_KEY: 'sk_test_0123456789', STRIPE_PUBLISHABLE_KEY: 'pk_test_0123456789' }
    expect(read(keys)).toMatchObject({
      stripeSecretKey: keys.STRIPE_SECRET_KEY,
      stripePublishableKey: keys.STRIPE_PUBLISHABLE_KEY,
      stripeApiBase: null,
    })
    expect(read({ ...keys, STRIPE_API_BASE: 'http://127.0.0.1:12111' }).stripeApiBase).toBe('http://127.0.0.1:12111')
    expect(problemsOf({ STRIPE_SECRET_KEY: keys.STRIPE_SECRET_KEY })).toEqual([
      'STRIPE_PUBLISHABLE_KEY must be set with STRIPE_SECRET_KEY: without it nobody can enrol a card',
    ])
    expect(problemsOf({ STRIPE_PUBLISHABLE_KEY: keys.STRIPE_PUBLISHABLE_KEY })).toEqual([
      'STRIPE_SECRET_KEY must be set with STRIPE_PUBLISHABLE_KEY: without it nothing can be charged',
    ])
    expect(problemsOf({ ...keys, STRIPE_PUBLISHABLE_KEY: keys.STRIPE_SECRET_KEY })).toHaveLength(1)
    expect(problemsOf({ ...keys, STRIPE_API_BASE: 'http://stripe.example' })).toHaveLength(1)
  })

  test('several workers share a database and a cache; one needs neither', () => {
    const redis = { REDIS_URL: 'redis://cache.example' }
    expect(problemsOf({ WORKERS: '2' })).toEqual([
      'WORKERS=2 needs DATABASE_URL and REDIS_URL: several processes share them',
    ])
    expect(problemsOf({ WORKERS: '2', ...redis })).toEqual([
      'WORKERS=2 needs DATABASE_URL: several processes share them',
    ])
    expect(problemsOf({ WORKERS: '2', ...redis, DATABASE_URL: 'postgres://db.example/x', SANDBOX: 'true' })).toEqual([])
    for (const one of ['1', 'auto', '']) expect(problemsOf({ WORKERS: one })).toEqual([])
  })

  test('an RCS carrier is three variables, or none', () => {
    const carrier = { RCS_API_URL: 'https://rcs.example/base/', RCS_API_TOKEN: 'token', RCS_AGENT_ID: 'agent' }
    expect(read(carrier).rcs).toEqual({ apiUrl: 'https://rcs.example/base', apiToken: 'token', agentId: 'agent' })
    expect(read({ ...carrier, RCS_API_URL: 'http://127.0.0.1:9' }).rcs?.apiUrl).toBe('http://127.0.0.1:9')
    expect(problemsOf({ ...carrier, RCS_API_TOKEN: '' })).toEqual([
      'RCS_API_TOKEN must be set too: RCS needs RCS_API_URL, RCS_API_TOKEN, RCS_AGENT_ID',
    ])
    for (const url of ['http://rcs.example', 'ftp://rcs.example', 'https://u:p@rcs.example', 'rcs.example']) {
      expect(problemsOf({ ...carrier, RCS_API_URL: url })).toEqual([
        expect.stringMatching(/^RCS_API_URL must be an https/),
      ])
    }
  })

  test('the key may be base64url', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7))
    expect(read({ KEY_ENCRYPTION_KEY: key.toString('base64url') }).secrets.keyEncryptionKeys).toEqual([key])
  })

  test('A4 several keys are separated by commas, each strong and none twice', () => {
    const [one, two] = [3, 5].map((step) => Buffer.from(Array.from({ length: 32 }, (_, index) => index * step)))
    const hex = (key: Buffer | undefined) => key?.toString('hex') ?? ''
    const given = `${hex(one)}, ${two?.toString('base64url')}`
    expect(read({ KEY_ENCRYPTION_KEY: given }).secrets.keyEncryptionKeys).toEqual([one, two])
    for (const bad of [
      `${hex(one)},`,
      `${hex(one)},${hex(one)}`,
      `${hex(one)},${'ab'.repeat(32)}`,
      `${hex(one)};${hex(two)}`,
    ]) {
      expect(problemsOf({ KEY_ENCRYPTION_KEY: bad })).toEqual([expect.stringContaining('KEY_ENCRYPTION_KEY must be')])
    }
  })

  test.each(['http://localhost:3000', 'http://127.0.0.1:80', 'http://[::1]:3000', 'https://localhost'])(
    '%s may be the issuer of a sandbox, which then listens on this machine alone',
    (url) => expect(read({ BASE_URL: url }).listenHosts).toEqual(['127.0.0.1', '::1']),
  )

  test('a public address is listened to on every interface, HOST chooses one, and ALLOWED_HOSTS names more hosts', () => {
    const env = { BASE_URL: 'https://pay.example.com', SANDBOX: 'false', ...secrets }
    expect(read(env)).toMatchObject({ listenHosts: null, allowedHosts: [] })
    expect(read({ ...env, HOST: '10.0.0.7' }).listenHosts).toEqual(['10.0.0.7'])
    expect(read({ HOST: '0.0.0.0' }).listenHosts).toEqual(['0.0.0.0'])
    expect(read({ ALLOWED_HOSTS: 'Pay.internal:3000, countersign' }).allowedHosts).toEqual([
      'pay.internal:3000',
      'countersign',
    ])
  })
})

/** Returns 32 bytes with the given number of different values, in hex. */
const hexOf = (values: number) => Buffer.from(Array.from({ length: 32 }, (_, at) => at % values)).toString('hex')

describe('wrong values', () => {
  const issuer = 'must be an https origin without path, or http on a loopback host, for example https://pay.example.com'
  test.each([
    ['PORT', '70000', 'must be a whole number from 1 to 65535, for example 3000'],
    ['PORT', '3e3', 'must be a whole number from 1 to 65535, for example 3000'],
    ['BASE_URL', 'http://pay.example.com', issuer],
    ['BASE_URL', 'https://pay.example.com/issuer', issuer],
    ['BASE_URL', 'https://pay.example.com?x', issuer],
    ['BASE_URL', 'https://user@pay.example.com', issuer],
    ['BASE_URL', 'pay.example.com', issuer],
    ['SANDBOX', 'yes', 'must be true or false'],
    [
      'DATABASE_URL',
      'mysql://x',
      'must be a URL that starts with postgres:// or postgresql://, for example postgres://user:password@db.example.com:5432/countersign',
    ],
    ['DATABASE_POOL_SIZE', '0', 'must be a whole number from 1 to 500, for example 10'],
    [
      'REDIS_URL',
      'cache:6379',
      'must be a URL that starts with redis:// or rediss://, for example redis://cache.example.com:6379',
    ],
    [
      'SMTP_URL',
      'mail',
      'must be a URL that starts with smtp:// or smtps://, for example smtps://user:password@mail.example.com',
    ],
    ['MAIL_FROM', 'nobody', 'must be a mail address, for example Countersign <no-reply@example.com>'],
    ['ACCESS_TOKEN_TTL_SECONDS', '-1', 'must be a whole number from 10 to 3600, for example 300'],
    ['MANDATE_TTL_SECONDS', '1.5', 'must be a whole number from 10 to 3600, for example 300'],
    ['LEGACY_RS256_UNTIL', 'soon', 'must be an ISO 8601 date or instant, for example 2027-01-01T00:00:00Z'],
    ['REQUIRE_DPOP', 'on', 'must be true or false'],
    ['MAGIC_LINK_GATE', 'on', 'must be true or false'],
    ['ROLE', 'portal', 'must be all or api'],
    ['WORKERS', '0', 'must be a whole number from 1 to 99, or auto, for example 4'],
    ['WORKERS', 'all', 'must be a whole number from 1 to 99, or auto, for example 4'],
    ['LOG_LEVEL', 'loud', 'must be one of debug, info, warn, error, silent'],
    ['HOST', 'localhost', 'must be an IP address to listen on, for example 0.0.0.0'],
    ['ALLOWED_HOSTS', 'http://a', 'must be hosts separated by commas, for example pay.internal:3000,countersign'],
    ['SWITCH_SETTLEMENT', 'off', 'must be true or false'],
  ])('the wrong value %s=%s is refused', (name, value, message) => {
    expect(problemsOf({ [name]: value, ...(name === 'DATABASE_URL' && { SANDBOX: 'true' }) })).toEqual([
      `${name} ${message}`,
    ])
  })

  const key32 = 'must be 32 random bytes as base64url or hex, for example what `openssl rand -hex 32` prints'
  const strong =
    'must be 24 to 512 visible ASCII characters without spaces, at least 10 of them different, and no placeholder, for example what `openssl rand -hex 32` prints'
  test.each([
    ['OPERATOR_TOKEN', 'of 23 characters', 'abcdefghijklmnopqrstuvw', strong],
    ['METRICS_TOKEN', 'of 23 characters', 'abcdefghijklmnopqrstuvw', strong],
    ['OPERATOR_TOKEN', 'of two different characters', 'ab'.repeat(15), strong],
    ['OPERATOR_TOKEN', 'of nine different characters', 'abcdefghi'.repeat(3), strong],
    ['OPERATOR_TOKEN', 'that is a placeholder', 'changeme-0123456789-abcdefgh', strong],
    ['OPERATOR_TOKEN', 'that names its place', 'the-token-Goes-Here-0123456789', strong],
    ['PROCESSOR_WEBHOOK_SECRET', 'that is to be replaced', 'replace-me-with-a-long-secret-1', strong],
    ['RCS_CALLBACK_SECRET', 'of 23 characters', 'abcdefghijklmnopqrstuvw', strong],
    ['RCS_CALLBACK_SECRET', 'that is a placeholder', 'your-secret-0123456789-abcdefgh', strong],
    ['RCS_CALLBACK_SECRET', 'that speaks to its reader', 'whsec_your-operator-token-0123456', strong],
    ['RCS_CALLBACK_SECRET', 'that holds a placeholder', 'insertyour-token-0123456789', strong],
    ['PROCESSOR_WEBHOOK_SECRET', 'of 23 characters', 'abcdefghijklmnopqrstuvw', strong],
    ['PROCESSOR_WEBHOOK_SECRET', 'of one repeated character', 'x'.repeat(40), strong],
    ['KEY_ENCRYPTION_KEY', 'of 31 bytes', 'ab'.repeat(31), key32],
    ['KEY_ENCRYPTION_KEY', 'of one repeated byte', 'ab'.repeat(32), key32],
    ['KEY_ENCRYPTION_KEY', 'of 15 different bytes', hexOf(15), key32],
  ])('A3 %s %s refuses the start and says how to make one', (name, _kind, value, message) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name} ${message}`])
  })

  test('A3 24 characters, ten of them different, and 32 bytes of sixteen values are enough', () => {
    for (const name of ['OPERATOR_TOKEN', 'RCS_CALLBACK_SECRET', 'PROCESSOR_WEBHOOK_SECRET']) {
      expect([name, problemsOf({ [name]: 'qwertzuiopqwertzuiopqwer' })]).toEqual([name, []])
    }
    expect(problemsOf({ KEY_ENCRYPTION_KEY: hexOf(16) })).toEqual([])
  })

  test('a switch that does not exist is named', () => {
    expect(problemsOf({ SWITCH_SETLEMENT: 'false' })[0]).toMatch(
      /^SWITCH_SETLEMENT is no switch: there are SWITCH_FEDERATION,/,
    )
  })

  test('all problems are reported together, without any value', () => {
    const env = { PORT: 'x', LOG_LEVEL: 'loud', SANDBOX: 'false', OPERATOR_TOKEN: 'leak', DATA_DIR: newDataDir() }
    const message = (() => {
      try {
        readConfig(env)
        return ''
      } catch (error) {
        return String(error)
      }
    })()
    for (const name of ['PORT', 'LOG_LEVEL', 'OPERATOR_TOKEN', 'PROCESSOR_WEBHOOK_SECRET', 'RCS_CALLBACK_SECRET']) {
      expect(message).toContain(`\n  ${name} must`)
    }
    expect(message).not.toContain('leak')
    expect(() => readdirSync(env.DATA_DIR), 'nothing was made').toThrow('ENOENT')
  })
})

describe('outside the sandbox', () => {
  test('secrets come from the environment outside the sandbox', () => {
    const missing = problemsOf({ DATABASE_URL: 'postgres://db/x' })
    expect(missing.map((problem) => problem.split(' ')[0])).toEqual(Object.keys(secrets))
    expect(missing[0]).toBe(
      'OPERATOR_TOKEN must be set outside the sandbox, for example to what `openssl rand -hex 32` prints',
    )
    expect(problemsOf({ DATABASE_URL: 'postgres://db/x', ...secrets })).toEqual([])
  })

  test('A1 a sandbox with a live key does not start', () => {
    for (const live of ['sk_live_0123456789abcdefghij', 'rk_live_0123456789abcdefghij']) {
      const env = { STRIPE_SECRET_KEY: live, STRIPE_PUBLISHABLE_KEY: 'pk_live_0123456789' }
      expect(problemsOf(env)).toEqual([
        'STRIPE_SECRET_KEY is a live key: set SANDBOX=false to move money, or use a test key (sk_test_)',
      ])
      expect(problemsOf({ ...env, SANDBOX: 'false', ...secrets })).toEqual([])
    }
  })

  test('A1 a sandbox at a public address starts only when it is said to be public', () => {
    const env = { BASE_URL: 'https://pay.example.com' }
    const problem =
      'BASE_URL is public, but this is a sandbox: set SANDBOX=false to take real payments, or SANDBOX_PUBLIC=true to run a public sandbox'
    expect(problemsOf(env)).toEqual([problem])
    expect(problemsOf({ ...env, SANDBOX: 'true', SANDBOX_PUBLIC: 'false' })).toEqual([problem])
    expect(read({ ...env, SANDBOX_PUBLIC: 'true' })).toMatchObject({ sandbox: true, isSandboxPublic: true })
    expect(problemsOf({ ...env, SANDBOX: 'false', ...secrets })).toEqual([])
    expect(problemsOf({ ...env, SANDBOX: 'false', SANDBOX_PUBLIC: 'true', ...secrets })).toEqual([
      'SANDBOX_PUBLIC needs SANDBOX=true: outside the sandbox there is nothing to make public',
    ])
  })

  test('A1 OUTBOUND_LOOPBACK is on in a sandbox on a loopback host alone, unless it is set', () => {
    const pub = { BASE_URL: 'https://pay.example.com' }
    expect(read({}).outboundLoopback).toBe(true)
    expect(read({ BASE_URL: 'http://127.0.0.1:3000' }).outboundLoopback).toBe(true)
    expect(read({ OUTBOUND_LOOPBACK: 'false' }).outboundLoopback).toBe(false)
    expect(read({ SANDBOX: 'false', ...secrets }).outboundLoopback).toBe(false)
    expect(read({ SANDBOX: 'false', OUTBOUND_LOOPBACK: 'true', ...secrets }).outboundLoopback).toBe(true)
    expect(read({ ...pub, SANDBOX_PUBLIC: 'true' }).outboundLoopback).toBe(false)
    expect(read({ ...pub, SANDBOX: 'false', ...secrets }).outboundLoopback).toBe(false)
  })

  test('A1 OUTBOUND_LOOPBACK is refused in production at an address that others reach', () => {
    const env = { NODE_ENV: 'production', BASE_URL: 'https://pay.example.com', SANDBOX: 'false', ...secrets }
    const problem =
      'OUTBOUND_LOOPBACK=true is for a BASE_URL on this machine: others could reach its services through this server'
    expect(problemsOf({ ...env, OUTBOUND_LOOPBACK: 'true' })).toEqual([problem])
    expect(problemsOf({ ...env, OUTBOUND_LOOPBACK: 'false' })).toEqual([])
    expect(problemsOf({ ...env, BASE_URL: 'http://localhost:3000', OUTBOUND_LOOPBACK: 'true' })).toEqual([])
    expect(problemsOf({ OUTBOUND_LOOPBACK: 'yes' })).toEqual(['OUTBOUND_LOOPBACK must be true or false'])
  })

  test('the token that reads metrics is not the one that may do everything', () => {
    expect(problemsOf({ ...secrets, METRICS_TOKEN: secrets.OPERATOR_TOKEN })).toEqual([
      'METRICS_TOKEN must not be the OPERATOR_TOKEN: it is for reading metrics alone',
    ])
  })

  test('the webhook secret is given once', () => {
    expect(problemsOf({ ...secrets, STRIPE_WEBHOOK_SECRET: secrets.PROCESSOR_WEBHOOK_SECRET })).toEqual([
      'STRIPE_WEBHOOK_SECRET is another name of PROCESSOR_WEBHOOK_SECRET: set only one of them',
    ])
  })
})
