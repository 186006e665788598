/** What the schemas of the tools do not say: how each fails, and one call of each. `docs/tools.md` shows both. */

/** A failure: the text after `<tool_name> failed: `, and what it means. */
export type ToolError = readonly [detail: string, meaning: string]

/** The failures of a tool, and arguments with which it can be called. */
export interface ToolNotes {
  readonly errors: readonly ToolError[]
  readonly example: Readonly<Record<string, unknown>>
}

/** Failures that every tool may have. */
export const commonErrors: readonly ToolError[] = [
  ['invalid arguments', 'an argument is missing, unknown or of another type; the text names it'],
  ['agent not registered yet', 'the registration that the tool uses is missing: register first'],
  ['refused address', 'an address is not public, not https, or not at the merchant; it was not called'],
  ['fetch failed', 'no usable answer came; whether the request arrived is not known'],
]

const registration: readonly ToolError[] = [
  ['invalid_software_statement', 'the setup token is unknown, used or expired'],
  ['invalid_redirect_uri', 'a redirect URI is not allowed'],
  ['invalid_client_metadata', 'another member is refused, for example a name that is too long'],
]

const purchase: readonly ToolError[] = [
  ['PAR failed: 400 invalid_request', 'the server refused the request; other codes stand in the same place'],
  ['token failed: 400 invalid_grant', 'the code or the refresh token is no longer valid'],
  ['token failed: 400 invalid_target', 'this merchant cannot be paid any more'],
  [
    'verify-mandate failed: 422 mandate_expired',
    'the merchant refused the mandate; other codes stand in the same place',
  ],
  ['verify-mandate failed: 502 bad_gateway', 'the outcome is not known: call again with the same arguments'],
]

const asking: readonly ToolError[] = [
  ['consent_required', 'the person has not decided: show them the link, and call again with the same arguments'],
  ['consent_denied', 'the person declined'],
]

const principal = (scope: string): readonly ToolError[] => [
  ...asking,
  ['wallet-session JWT-AT required (401 invalid_token)', 'the token is not valid, or is no token of a person'],
  ['principal_id mismatch (403 principal_mismatch)', 'the token is of another person'],
  [`insufficient_scope (need ${scope})`, 'the registration or the token does not have this scope'],
  ['rate limited (429)', 'too many requests; the second text says how long to wait'],
]

const wallet = (scope: string): readonly ToolError[] => [
  ...asking,
  [`insufficient_scope (need ${scope})`, 'the registration does not have this scope'],
  ['401 invalid_token', 'the access has ended'],
  ['403 forbidden', 'the server refuses the request'],
]

const server = 'http://localhost:3000'
const shop = `${server}/sandbox/merchants/tallow-books`
const callback = 'http://127.0.0.1:8765/oid4ac/callback'
const way = { as_url: server, resource: server, redirect_uri: callback }
const book = { sku: 'left-hand-of-darkness', qty: 1, unit_price_minor: 1200, currency: 'EUR' }

/** The notes on each tool, by its name. */
export const toolNotes: Readonly<Record<string, ToolNotes>> = {
  agent_register: {
    errors: registration,
    example: { setup_token: '…', as_url: server, redirect_uris: [callback], client_name: 'Bookworm' },
  },
  agent_payment_initiate: {
    errors: purchase,
    example: {
      merchant_url: shop,
      merchant_base_api: shop,
      amount: { currency: 'EUR', amount_minor: 1200 },
      line_items: [book],
      offer_id: 'tallow-books.left-hand-of-darkness',
      offer_digest: '…',
      redirect_uri: callback,
    },
  },
  agent_verify_mandate: {
    errors: purchase.filter(([detail]) => detail.startsWith('verify-mandate')),
    example: { merchant_verify_url: `${shop}/verify-mandate`, presentation: '…', line_items: [book] },
  },
  discovery_list_merchants: {
    errors: [
      ['400 invalid_filter', 'a country or currency is no ISO code in capitals'],
      ['429 rate_limited', 'too many requests'],
      ['500 server_error', 'the directory failed'],
    ],
    example: { q: 'books', currency: 'EUR' },
  },
  agent_browse_merchant: {
    errors: [
      ['404 not_found', 'the directory has no such merchant, or no catalog of it'],
      ['rejected upstream catalog', 'the catalog has no signature; the text names the missing field'],
      ['429 rate_limited', 'too many requests'],
      ['502 bad_gateway', 'the directory could not read the catalog'],
    ],
    example: { merchant_id: 'tallow-books' },
  },
  agent_wallet_register: {
    errors: registration,
    example: {
      setup_token: '…',
      as_url: server,
      redirect_uris: [callback],
      client_name: 'Housekeeper',
      purpose: 'Looks after the wallet',
      scope: 'wallet:read wallet:write audit:read privacy:dsar',
    },
  },
  agent_wallet_list_agents: { errors: wallet('wallet:read'), example: way },
  agent_wallet_revoke_agent: {
    errors: [
      ...wallet('wallet:write'),
      ['404 not_found', 'the person has no such agent'],
      ['503 server_error', 'the server failed; repeating is safe'],
    ],
    example: { ...way, agent_client_id: '…' },
  },
  agent_buy_cheapest_from_store: {
    errors: [
      ['no in-stock matching items under the cap', 'nothing matches'],
      ['catalog 404', 'the store has no catalog'],
      ['catalog 502', 'the catalog cannot be read'],
      ['rejected upstream catalog', 'signature, digest or keys are wrong; the text says which'],
      ...purchase,
    ],
    example: {
      store_url: shop,
      merchant_verify_url: `${shop}/verify-mandate`,
      max_amount_minor: 1500,
      redirect_uri: callback,
    },
  },
  agent_dsar_initiate: {
    errors: principal('privacy:dsar'),
    example: { right: 'access', principal_token: 'session:default' },
  },
  agent_audit_chain_query: {
    errors: principal('audit:read'),
    example: { principal_token: 'session:default', event_types: ['oid4ac.payment.succeeded'], limit: 10 },
  },
  agent_payment_history: {
    errors: principal('audit:read'),
    example: { principal_token: 'session:default', from_iso: '2026-11-01T00:00:00Z', limit: 20 },
  },
}
