import { parseCredentials } from '../../base/contract/credentials'
import { BASE64URL_32_BYTES } from '../../base/contract/wire'
import { announceChange } from '../../base/core/announce-change'
import type { AnonymousCall, Client } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { epochSeconds } from '../../base/protocol/claims'
import { sha256Base64url } from '../../base/protocol/encoding'
import { thumbprintOf } from '../../base/protocol/key-import'
import { recordAudit } from '../../shared/audit'
import { lockPrincipal } from '../../shared/principals'
import { startAgentLimits } from '../../wallet/limits'
import { clientMetadata } from './contract'
import { type AgentMetadata, readAgentMetadata } from './metadata'
import { consumeSetupToken, findSetupToken, type SetupTokenRow } from './setup-token-store'
import { findRegistration, type NewClient, type RegistrationRow } from './store'

/**
 * POST /oauth/register: consumes a setup token and creates its agent (RFC 7591 section 3). A request with invalid
 * metadata leaves the setup token unused.
 */
export async function registerAgent(call: AnonymousCall, body: Record<string, unknown>) {
  const { platform, now } = call
  const { legacyRs256Until } = platform.config
  const metadata = await readAgentMetadata(body, { allowRsa: legacyRs256Until !== null && now < legacyRs256Until })
  const tokenHash = readSetupTokenHash(body)
  const setupToken = await findSetupToken(platform.db, tokenHash)
  if (setupToken === null) throw buildSetupTokenError('unknown')
  const client = toClient(platform.random.uuid(), metadata, setupToken)
  const registrationToken = platform.random.token(32)
  const echoed = echoedMetadata(client)
  const registrationTokenHash = sha256Base64url(registrationToken)
  const keyTail = await keyTailOf(client)
  const fresh = { client, metadata: echoed, registrationTokenHash, keyTail, now }
  const won = await register(call, { tokenHash, setupToken, fresh })
  if (!won) throw buildSetupTokenError('used, cancelled, expired or of an inactive principal')
  const row = { id: client.id, principal_id: setupToken.principal_id, metadata: echoed, created_at: now }
  return registrationReply(platform, row, registrationToken)
}

/** The length of an agent's tail: the last characters of its key's thumbprint. */
const KEY_TAIL_CHARS = 4

async function keyTailOf({ jwks: [key] }: Client): Promise<string | null> {
  return key === undefined ? null : (await thumbprintOf(key)).slice(-KEY_TAIL_CHARS)
}

interface Registration {
  readonly tokenHash: string
  readonly setupToken: SetupTokenRow
  readonly fresh: NewClient
}

/**
 * Stores the agent together with its initial limits, or neither. Returns whether this call consumed the setup token.
 */
async function register(call: AnonymousCall, { tokenHash, setupToken, fresh }: Registration): Promise<boolean> {
  const { principal_id: principalId, tenant_id: tenantId, limits } = setupToken
  const { id: clientId, scope } = fresh.client
  const won = await call.platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, principalId)
    const isFirst = await consumeSetupToken(tx, tokenHash, fresh)
    if (!isFirst) return false
    if (limits !== null) await startAgentLimits(tx, call, { agent: { principalId, clientId }, limits })
    const change = { what: 'agent', from: null, to: { scope, limits }, means: 'setup_token' } as const
    const payload = { ...change, agent_client_id: clientId, setup_token_id: setupToken.id }
    const by = { principalId, tenantId, actor: { kind: 'agent', id: clientId }, now: call.now } as const
    await recordAudit(tx, { ...by, event: 'oid4ac.agent.connected', payload })
    return true
  })
  if (won) await announceChange(call.platform, principalId)
  return won
}

function readSetupTokenHash(body: Record<string, unknown>): string {
  const token = body['software_statement'] ?? body['setup_token']
  if (typeof token !== 'string' || !BASE64URL_32_BYTES.test(token)) throw buildSetupTokenError('missing or malformed')
  return sha256Base64url(token)
}

const buildSetupTokenError = (detail: string) =>
  new ServiceError('invalid_software_statement', 'The setup token is unknown, expired or was used before.', { detail })

function toClient(id: string, metadata: AgentMetadata, setupToken: SetupTokenRow): Client {
  const allowed = setupToken.scope
  if (allowed !== null && !metadata.scope.every((name) => allowed.includes(name))) {
    throw new ServiceError('invalid_client_metadata', 'scope exceeds what the setup token allows.')
  }
  return {
    id,
    kind: 'agent',
    tenantId: setupToken.tenant_id,
    principalId: setupToken.principal_id,
    // A name from the person takes precedence over the agent's own.
    name: setupToken.name ?? metadata.name ?? 'Unnamed agent',
    purpose: setupToken.purpose ?? metadata.purpose,
    redirectUris: metadata.redirectUris,
    grantTypes: metadata.grantTypes,
    scope: metadata.scope,
    jwks: metadata.jwks,
  }
}

/** Returns all registered metadata with defaults (RFC 7591 section 3.2.1). */
function echoedMetadata(client: Client): Record<string, unknown> {
  return {
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: 'private_key_jwt',
    grant_types: client.grantTypes,
    response_types: ['code'],
    scope: client.scope.join(' '),
    jwks: { keys: client.jwks },
    client_name: client.name,
    ...(client.purpose === null ? {} : { purpose: client.purpose }),
  }
}

function registrationReply(platform: Platform, row: RegistrationRow, registrationToken: string) {
  return clientMetadata.parse({
    client_id: row.id,
    client_id_issued_at: epochSeconds(row.created_at),
    registration_access_token: registrationToken,
    registration_client_uri: `${platform.config.baseUrl}/oauth/register/${row.id}`,
    principal_id: row.principal_id,
    ...row.metadata,
  })
}

/**
 * GET /oauth/register/{client_id}: returns the registration to the holder of its registration access token. Only the
 * token's hash is stored, so the presented one is returned. Unknown clients and tokens of others get the same error
 * (RFC 7592 section 2.1).
 */
export async function readRegistration(
  call: AnonymousCall,
  input: { client_id: string; headers: { authorization: string | undefined } },
) {
  const { platform } = call
  const credentials = parseCredentials(input.headers.authorization)
  const token = credentials?.scheme === 'bearer' ? credentials.token : undefined
  const realm = `Bearer realm="${platform.config.baseUrl}"`
  if (input.headers.authorization === undefined) {
    const headers = { 'www-authenticate': realm }
    throw new ServiceError('invalid_token', 'The registration access token is required.', { headers })
  }
  const isToken = token !== undefined && BASE64URL_32_BYTES.test(token)
  const row = isToken ? await findRegistration(platform.db, input.client_id, sha256Base64url(token)) : null
  if (row === null || token === undefined) {
    const headers = { 'www-authenticate': `${realm}, error="invalid_token"` }
    throw new ServiceError('invalid_token', 'The registration access token is not valid for this client.', { headers })
  }
  return registrationReply(platform, row, token)
}
