import { keyPurposes, switchNames } from '@/server/base/core/platform'
import { clientIdPrefixes } from '@/server/base/protocol/access-certificate'
import { UsageError } from '../operator-client'
import type { ApiCall, Command, Options } from './command'
import { credentialCommands } from './credential-commands'
import { federationCommands } from './federation-commands'

const merchantOptions = {
  audience: { hint: 'url' },
  name: { hint: 'business name' },
  country: { hint: 'IE' },
  currencies: { hint: 'EUR,USD' },
  rails: { hint: 'card' },
  status: { hint: 'verified|pending|suspended' },
  'connected-account': { hint: 'acct_… or none' },
  'max-fee-bps': { hint: '0 to 10000' },
  'contact-email': { hint: 'address or none' },
  entity: { hint: 'https://shop.example or none' },
}

/** Every command, in the order in which help lists them. */
export const commands: readonly Command[] = [
  {
    words: ['switches'],
    summary: 'Shows the kill switches.',
    toCall: () => ({ method: 'GET', path: '/switches' }),
  },
  {
    words: ['switch'],
    takes: ['name', 'on|off'],
    summary: 'Switches a feature on or off, in every process within a second.',
    toCall: ([name = '', state = '']) => {
      if (!(switchNames as readonly string[]).includes(name)) {
        throw new UsageError(`There is no switch "${name}". There are: ${switchNames.join(', ')}.`)
      }
      if (state !== 'on' && state !== 'off') throw new UsageError(`A switch is set to on or off, not to "${state}".`)
      return { method: 'PUT', path: `/switches/${encodeURIComponent(name)}`, body: { enabled: state === 'on' } }
    },
  },
  {
    words: ['keys', 'rotate'],
    options: { purpose: { hint: keyPurposes.join('|') } },
    summary: 'Signs with the next keys from now on; the old ones keep verifying.',
    toCall: (_args, { purpose }) => post('/signing-keys/rotate', { purpose }),
  },
  {
    words: ['keys', 'block'],
    takes: ['kid'],
    summary: 'Ends a key that others may know: nothing that it signed verifies any more.',
    toCall: ([kid = '']) => ({ method: 'POST', path: `/signing-keys/${encodeURIComponent(kid)}/block` }),
  },
  {
    words: ['jobs'],
    summary: 'Counts the queued, done and given-up jobs, and lists the given-up ones.',
    toCall: () => ({ method: 'GET', path: '/jobs' }),
  },
  {
    words: ['jobs', 'retry'],
    takes: ['id'],
    summary: 'Retries a job that was given up.',
    toCall: ([id = '']) => ({ method: 'POST', path: `/jobs/${encodeURIComponent(id)}/retry` }),
  },
  {
    words: ['retention'],
    summary: 'Shows what is kept and how long, how many rows there are, and when the oldest goes.',
    toCall: () => ({ method: 'GET', path: '/retention' }),
  },
  {
    words: ['relying-party', 'show'],
    summary: 'Shows the access certificate that presentation requests are signed with.',
    toCall: () => ({ method: 'GET', path: '/relying-party' }),
  },
  {
    words: ['relying-party', 'set'],
    options: {
      chain: { hint: 'PEM file, leaf first', required: true },
      key: { hint: 'PEM file, PKCS#8', required: true },
      prefix: { hint: clientIdPrefixes.join('|') },
      'verifier-info': { hint: 'JSON file with a list' },
    },
    summary: 'Replaces the access certificate, in every process at once.',
    toCall: (_args, { chain = '', key = '', prefix, 'verifier-info': info }) => ({
      method: 'PUT',
      path: '/relying-party',
      body: present({ client_id_prefix: prefix }),
      files: info === undefined ? {} : { verifier_info: info },
      certificates: { certificate_chain: chain },
      texts: { private_key: key },
    }),
  },
  {
    words: ['relying-party', 'remove'],
    summary: 'Removes the access certificate; presentation requests are refused from then on.',
    toCall: () => ({ method: 'DELETE', path: '/relying-party' }),
  },
  {
    words: ['wallet-clients', 'create'],
    options: {
      name: { hint: 'name', required: true },
      jwks: { hint: 'file with public Ed25519 keys', required: true },
      scope: { hint: 'audit:read' },
    },
    summary: 'Registers a wallet client, which becomes a tenant.',
    toCall: (_args, { name, jwks = '', scope }) => post('/wallet-clients', { name, scope }, { jwks }),
  },
  {
    words: ['principals', 'reset-passkeys'],
    takes: ['principal_id'],
    summary: 'Removes all passkeys of a person who lost them, and signs them out everywhere.',
    toCall: ([id = '']) => ({ method: 'POST', path: `/principals/${encodeURIComponent(id)}/passkeys/reset` }),
  },
  {
    words: ['principals', 'create'],
    options: {
      'wallet-client': { hint: 'client_id', required: true },
      email: { hint: 'address' },
      name: { hint: 'display name' },
    },
    summary: 'Creates a person under a wallet client.',
    toCall: (_args, options) =>
      post('/principals', {
        wallet_client_id: options['wallet-client'],
        email: options['email'],
        display_name: options['name'],
      }),
  },
  ...credentialCommands,
  {
    words: ['merchants', 'list'],
    options: { page: { hint: 'number' }, 'page-size': { hint: '1 to 100' } },
    summary: 'Lists the merchants of the directory, whatever their status.',
    toCall: (_args, options) => {
      const query = new URLSearchParams()
      if (options['page'] !== undefined) query.set('page', options['page'])
      if (options['page-size'] !== undefined) query.set('page_size', options['page-size'])
      return { method: 'GET', path: query.size === 0 ? '/merchants' : `/merchants?${query}` }
    },
  },
  {
    words: ['merchants', 'create'],
    options: {
      ...merchantOptions,
      audience: { hint: 'url', required: true },
      name: { hint: 'business name', required: true },
      country: { hint: 'IE', required: true },
      currencies: { hint: 'EUR,USD', required: true },
    },
    summary: 'Adds a merchant to the directory.',
    toCall: (_args, options) => post('/merchants', merchantFields(options)),
  },
  {
    words: ['merchants', 'update'],
    takes: ['id'],
    options: merchantOptions,
    summary: 'Changes the given fields of a merchant.',
    toCall: ([id = ''], options) => ({
      method: 'PATCH',
      path: `/merchants/${encodeURIComponent(id)}`,
      body: merchantFields(options),
    }),
  },
  ...federationCommands,
  {
    words: ['trust-lists', 'list'],
    summary: 'Shows the regions and the issuers of credentials whom they trust.',
    toCall: () => ({ method: 'GET', path: '/trust-lists' }),
  },
  {
    words: ['trust-lists', 'set'],
    takes: ['region'],
    options: { issuers: { hint: 'file with a list of issuers', required: true } },
    summary: 'Replaces the issuers whom a region trusts.',
    toCall: ([region = ''], { issuers = '' }) => ({
      method: 'PUT',
      path: trustList(region),
      body: {},
      files: { issuers },
    }),
  },
  {
    words: ['trust-lists', 'remove'],
    takes: ['region'],
    summary: 'Removes a region; presentations for it are refused from then on.',
    toCall: ([region = '']) => ({ method: 'DELETE', path: trustList(region) }),
  },
  {
    words: ['sandbox', 'principal'],
    options: {
      card: { hint: 'success' },
      email: { hint: 'address' },
      'approval-rule': { hint: 'every_purchase|new_merchants|above_limits' },
      'wallet-client': { hint: 'client_id' },
      limits: { hint: 'file with a wallet limits body' },
    },
    summary: 'Creates a person with a test card, ready to pay.',
    toCall: (_args, { card, email, limits, ...options }) =>
      post(
        '/sandbox/principals',
        { card, email, approval_rule: options['approval-rule'], wallet_client_id: options['wallet-client'] },
        limits === undefined ? {} : { limits },
      ),
  },
  {
    words: ['sandbox', 'setup-token'],
    options: { principal: { hint: 'principal_id', required: true }, scope: { hint: 'scopes' } },
    summary: 'Mints a setup token for a person.',
    toCall: (_args, { principal, scope }) => post('/sandbox/setup-tokens', { principal_id: principal, scope }),
  },
  {
    words: ['sandbox', 'wallet-session'],
    options: {
      principal: { hint: 'principal_id', required: true },
      scope: { hint: 'wallet scopes', required: true },
      'dpop-jwk': { hint: 'file with a public key', required: true },
    },
    summary: 'Opens a wallet session of a person, bound to a DPoP key.',
    toCall: (_args, options) =>
      post(
        '/sandbox/wallet-sessions',
        { principal_id: options['principal'], scope: options['scope'] },
        { dpop_jwk: options['dpop-jwk'] ?? '' },
      ),
  },
  {
    words: ['sandbox', 'setup-intent'],
    options: {
      id: { hint: 'setup_intent_id', required: true },
      card: { hint: 'success' },
      deliveries: { hint: 'number of webhooks' },
    },
    summary: 'Plays the cardholder who confirms a setup intent.',
    toCall: (_args, { id, card, deliveries }) =>
      post('/sandbox/setup-intents', { setup_intent_id: id, card, deliveries: wholeNumber('deliveries', deliveries) }),
  },
  {
    words: ['sandbox', 'dispute'],
    options: {
      payment: { hint: 'payment_intent_id', required: true },
      status: { hint: 'pending|won|lost', required: true },
    },
    summary: 'Opens or closes a dispute about a payment.',
    toCall: (_args, { payment, status }) =>
      post('/sandbox/disputes', { payment_intent_id: payment, dispute_status: status }),
  },
]

function trustList(region: string): string {
  return `/trust-lists/${encodeURIComponent(region)}`
}

/** Returns a POST without the absent members. */
function post(
  path: string,
  body: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>> = {},
): ApiCall {
  return { method: 'POST', path, body: present(body), files }
}

function merchantFields(options: Options): Readonly<Record<string, unknown>> {
  const { 'connected-account': account, 'contact-email': contact, entity } = options
  return present({
    merchant_audience: options['audience'],
    business_name: options['name'],
    country: options['country'],
    accepts_currency: options['currencies']?.split(','),
    accepts_rail: options['rails']?.split(','),
    verification_status: options['status'],
    connected_account_id: account === 'none' ? null : account,
    max_application_fee_bps: wholeNumber('max-fee-bps', options['max-fee-bps']),
    contact_email: contact === 'none' ? null : contact,
    federation_entity_id: entity === 'none' ? null : entity,
  })
}

function present(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

function wholeNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,6}$/.test(value)) throw new UsageError(`--${option} takes a whole number, not "${value}".`)
  return Number(value)
}
