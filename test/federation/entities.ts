import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt } from 'jose'
import { type Answer, exchange, handmadeJws, type Key, newKey, operate, type Target } from '../support/actors'

/** An answer of a foreign server, as a test writes it. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void

export type Claims = Record<string, unknown>
export const ENTITY_STATEMENT = 'application/entity-statement+jwt'

/** A foreign entity with its key; what it says can be replaced claim by claim. */
export interface Entity {
  readonly id: string
  readonly key: Key
  readonly kid: string
  readonly jwks: { readonly keys: readonly Record<string, unknown>[] }
  /** More claims of its configuration; undefined leaves one out. */
  claims: Claims
  /** More members of its header. */
  header: Claims
  /** Signs in its place. */
  signer: Key
  /** Claims of its statements about others, by entity id. */
  readonly about: Map<string, Claims>
  /** More members of the header of these statements, and who signs them in its place. */
  aboutHeader: Claims
  aboutSigner: Key
  /** Answers in its place. */
  handler: Handler | null
}

export interface Federation {
  readonly origin: string
  readonly port: number
  entity(name: string, options?: { hints?: readonly string[]; alg?: Key['alg']; host?: string }): Promise<Entity>
  /** What an entity says, as if nothing answered in its place. */
  answer(entity: Entity, request: IncomingMessage, response: ServerResponse): void
  /** One of its entities by id. */
  find(entityId: string): Entity | undefined
  /** What was asked for, in order. */
  readonly asked: string[]
  close(): Promise<void>
}

const signed = ({ clock }: Target, claims: Claims, { key, header }: { key: Key; header: Claims }) => {
  const now = Math.floor((clock?.now() ?? new Date()).getTime() / 1000)
  const payload = Object.fromEntries(
    Object.entries({ iat: now, exp: now + 3600, ...claims }).filter(([, value]) => value !== undefined),
  )
  return handmadeJws({ alg: key.alg, typ: 'entity-statement+jwt', ...header }, payload, key)
}

/** Entities on loopback, each below a path of one server. */
export async function startFederation(app: Target): Promise<Federation> {
  const entities = new Map<string, Entity>()
  const asked: string[] = []
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const [, name = '', ...rest] = url.pathname.split('/')
    asked.push(`${name}/${rest.join('/')}${url.search}`)
    const entity = entities.get(name)
    if (entity === undefined) return void response.writeHead(404).end()
    const respond: Handler = entity.handler ?? ((...exchanged) => say(entity, ...exchanged))
    respond(request, response)
  }
  const say: Federation['answer'] = (entity, request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const isAsked = url.pathname.endsWith('/fetch')
    const token = isAsked ? statementOf(entity, url.searchParams.get('sub') ?? '') : configurationOf(entity)
    if (token === null) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': `${ENTITY_STATEMENT}; charset=utf-8` }).end(token)
  }
  const configurationOf = (entity: Entity) =>
    signed(
      app,
      {
        iss: entity.id,
        sub: entity.id,
        jwks: entity.jwks,
        metadata: {
          federation_entity: { federation_fetch_endpoint: `${entity.id}/fetch` },
          openid_relying_party: { client_name: entity.id, grant_types: ['authorization_code', 'refresh_token'] },
        },
        ...entity.claims,
      },
      { key: entity.signer, header: { kid: entity.kid, ...entity.header } },
    )
  const statementOf = (entity: Entity, sub: string) => {
    const claims = entity.about.get(sub)
    if (claims === undefined) return null
    const header = { kid: entity.kid, ...entity.aboutHeader }
    return signed(app, { iss: entity.id, sub, ...claims }, { key: entity.aboutSigner, header })
  }
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    asked,
    answer: say,
    find: (entityId) => [...entities.values()].find(({ id }) => id === entityId),
    async entity(name, { hints = [], alg = 'EdDSA', host = '127.0.0.1' } = {}) {
      const key = await newKey(alg)
      const kid = `${name}-key`
      const entity: Entity = {
        id: `http://${host}:${port}/${name}`,
        key,
        kid,
        jwks: { keys: [{ ...key.jwk, kid }] },
        claims: hints.length === 0 ? {} : { authority_hints: hints },
        header: {},
        signer: key,
        about: new Map(),
        aboutHeader: {},
        aboutSigner: key,
        handler: null,
      }
      entities.set(name, entity)
      return entity
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What a superior says of an entity at least: its keys. */
export function vouchFor(superior: Entity, entity: Entity, claims: Claims = {}): void {
  superior.about.set(entity.id, { jwks: entity.jwks, ...claims })
}

export const enrol = (app: Target, entity: Pick<Entity, 'id' | 'jwks'>, more: Claims = {}) =>
  operate<Claims>(app, 'POST', '/federation/subordinates', {
    entity_id: entity.id,
    entity_types: ['openid_relying_party'],
    jwks: entity.jwks,
    ...more,
  })

export const patch = (app: Target, entityId: string, changes: Claims) =>
  operate<Claims>(app, 'PATCH', `/federation/subordinates/${encodeURIComponent(entityId)}`, changes)

/** GET of a federation address with its query, in which a list is a repeated name. */
export function ask<T = Claims>(
  app: Target,
  path: string,
  query: Readonly<Record<string, string | readonly string[]>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<T>> {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value as string]),
  )
  return exchange<T>(`${app.baseUrl}${path}?${new URLSearchParams(pairs)}`, { headers })
}

export const resolve = (app: Target, sub: string, more: Readonly<Record<string, string | readonly string[]>> = {}) =>
  ask(app, '/federation/resolve', { sub, anchor: app.baseUrl, ...more })

export const claimsOf = (answer: Pick<Answer, 'text'>): Claims => decodeJwt(answer.text)
