import { request as openRequest } from 'node:http'
import type { EndpointShape } from '@/server/base/contract/endpoint'
import { statusOfCode } from '@/server/base/core/errors'
import { clientAssertion, dpopProof, type Key } from '../support/actors'
import { timedSignature } from '../support/timed-signature'
import { bodies, headers, jsons, type Mutation, type Plan, texts, type Value, wires } from './values'
import { app, type Parts, partsOf, world } from './world'

/** Enough for 414; what is much longer than Node's parser takes would break the connection while it is being sent. */
const TARGET_MAX_CHARS = 8_500
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** One request as it goes over the wire. */
interface Draft {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | null
}

/** Percent-encoded, lone surrogates included; what the table of wires holds is so already. */
function wireOf(value: Value): string {
  if ('table' in value && value.table === 'wires') return wires[value.named] ?? ''
  const text = 'made' in value ? value.made : (texts[value.named] ?? '')
  const encode = (character: string) => (character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80')
  return [...text].map(encode).join('')
}

function jsonOf(value: Value): string {
  if ('table' in value) return value.table === 'jsons' ? (jsons[value.named] ?? '') : JSON.stringify(texts[value.named])
  try {
    JSON.parse(value.made)
    return value.made
  } catch {
    return JSON.stringify(value.made)
  }
}

const headerOf = (value: Value) => ('made' in value ? value.made : (headers[value.named] ?? ''))

type Pair = readonly [name: string, wire: string]

/** Replaces the pairs of each mutated name, or adds them. */
function mutate(pairs: readonly Pair[], mutations: readonly Mutation[], wire: (value: Value) => string): Pair[] {
  return mutations.reduce<Pair[]>(
    (all, { name, value, twice }) => {
      const pair: Pair = [name, wire(value)]
      return [...all.filter(([other]) => other !== name), pair, ...(twice ? [pair] : [])]
    },
    [...pairs],
  )
}

export async function draftOf(endpoint: EndpointShape, plan: Plan): Promise<Draft> {
  const parts = await partsOf(endpoint, plan.variant)
  const done = (place: Mutation['place']) => plan.mutations.filter((mutation) => mutation.place === place)
  const path = pathOf(endpoint, parts, done('path'))
  const query = mutate(formPairs(parts.query), done('query'), wireOf)
    .map(([name, value]) => `${encodeURIComponent(name)}=${value}`)
    .join('&')
  const credentials = await credentialsOf(endpoint, parts, { caller: plan.caller, path })
  const body = bodyOf(endpoint, { ...parts.body, ...credentials.members }, plan)
  const signature = endpoint.body?.kind === 'raw' && body !== null ? webhookSignature(endpoint, body) : {}
  const given = Object.entries({ ...typeOf(endpoint), ...signature, ...credentials.headers, ...parts.headers })
  return {
    method: endpoint.method,
    target: (query === '' ? path : `${path}?${query}`).slice(0, TARGET_MAX_CHARS),
    headers: mutate(given, done('header'), headerOf),
    body,
  }
}

function pathOf(endpoint: EndpointShape, { params }: Parts, mutations: readonly Mutation[]): string {
  const values = new Map(mutate(formPairs(params), mutations, wireOf))
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? 'none')
}

/** Members as form pairs; a list repeats its name. */
const formPairs = (members: Readonly<Record<string, unknown>>): Pair[] =>
  Object.entries(members).flatMap(([name, value]) =>
    [value].flat().map((one): Pair => [name, encodeURIComponent(typeof one === 'string' ? one : JSON.stringify(one))]),
  )

function bodyOf(endpoint: EndpointShape, members: Readonly<Record<string, unknown>>, plan: Plan): Buffer | null {
  if (endpoint.body === undefined) return null
  const whole = plan.mutations.find(({ place }) => place === 'body')
  if (whole !== undefined) return bodies['table' in whole.value ? whole.value.named : ''] ?? null
  const mutations = plan.mutations.filter(({ place }) => place === 'member')
  if (endpoint.body.kind === 'form') {
    const pairs = mutate(formPairs(members), mutations, wireOf)
    return Buffer.from(pairs.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&'))
  }
  const pairs = mutate(
    Object.entries(members).map(([name, value]): Pair => [name, JSON.stringify(value)]),
    mutations,
    jsonOf,
  )
  return Buffer.from(`{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`)
}

function typeOf({ body }: EndpointShape): Record<string, string> {
  if (body === undefined) return {}
  return { 'content-type': body.kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json' }
}

function webhookSignature({ headers: read = [] }: EndpointShape, body: Buffer): Record<string, string> {
  const { processorWebhook, rcsCallback } = app.platform.config.secrets
  const [header, secret] = read.includes('rcs-signature')
    ? ['rcs-signature', rcsCallback]
    : ['processor-signature', processorWebhook]
  return { [header]: timedSignature(body, { secret, now: app.clock.now() }) }
}

interface Credentials {
  readonly headers: Record<string, string>
  readonly members: Record<string, string>
}

/** What lets this caller in, where the contract asks for it. */
async function credentialsOf(
  endpoint: EndpointShape,
  parts: Parts,
  { caller, path }: { caller: Plan['caller']; path: string },
): Promise<Credentials> {
  const { access } = endpoint
  if (caller === 'nobody' || access.actor === 'anonymous') return { headers: {}, members: {} }
  const isGood = caller === 'good'
  const proofBy: ProofBy = async (key, more) =>
    dpopProof(app, isGood ? key : world.key, {
      method: endpoint.method,
      url: app.baseUrl,
      claims: { htu: app.baseUrl + path },
      ...more,
    })
  switch (access.actor) {
    case 'backend':
    case 'operator':
      return operatorCredentials(isGood)
    case 'wallet':
    case 'agent': {
      const key = access.actor === 'wallet' ? world.person.key : world.agent.dpopKey
      const { accessToken } = parts
      return {
        headers: { authorization: `DPoP ${accessToken}`, dpop: await proofBy(key, { accessToken }) },
        members: {},
      }
    }
    case 'client': {
      const client = access.kind === 'wallet' ? parts.wallet : world.agent
      const assertion = await clientAssertion(app, isGood ? client : { ...client, key: world.key })
      const dpop = access.dpop === 'mint' ? await mintProof(proofBy) : {}
      return clientCredentials(access.credentials, { clientId: client.clientId, assertion, dpop })
    }
  }
}

const operatorCredentials = (isGood: boolean): Credentials => ({
  headers: { authorization: `Bearer ${isGood ? app.operatorToken : 'x'.repeat(43)}` },
  members: {},
})

type ProofBy = (key: Key, more: { nonce?: string; accessToken?: string }) => Promise<string>

const mintProof = async (proofBy: ProofBy) => ({
  dpop: await proofBy(world.agent.dpopKey, { nonce: await world.agent.freshNonce() }),
})

function clientCredentials(
  where: 'body' | 'headers' | 'authorization',
  { clientId, assertion, dpop }: { clientId: string; assertion: string; dpop: Record<string, string> },
): Credentials {
  if (where === 'authorization')
    return { headers: { ...dpop, authorization: `PrivateKeyJwt ${assertion}` }, members: {} }
  if (where === 'headers') {
    return { headers: { ...dpop, 'x-client-id': clientId, 'x-client-assertion': assertion }, members: {} }
  }
  return {
    headers: dpop,
    members: { client_id: clientId, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion },
  }
}

interface Reply {
  readonly status: number
  readonly isOurs: boolean
  readonly type: string
  readonly retryAfter: string
  readonly text: string
}

/** Sends exactly this; fetch would tidy up target and headers. */
export async function send({ method, target, headers: given, body }: Draft): Promise<Reply> {
  const { hostname, port, host } = new URL(app.baseUrl)
  const length: Pair[] = body === null ? [] : [['content-length', String(body.length)]]
  const raw = [['host', host], ['connection', 'close'], ...length, ...given].flat()
  return new Promise((resolve, reject) => {
    const request = openRequest(
      { hostname, port, method, path: target, headers: raw as never, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            isOurs: response.headers['x-request-id'] !== undefined,
            type: response.headers['content-type'] ?? '',
            retryAfter: response.headers['retry-after'] ?? '',
            text: Buffer.concat(chunks).toString(),
          }),
        )
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body ?? undefined)
  })
}

/** The refusals of 500 and above that a contract announces. */
function announced({ refusals = [], switch: gate, operationId }: EndpointShape): Set<number> {
  const statuses = refusals.map((code) => statusOfCode[code]).filter((status) => status >= 500)
  // Historical status lists (`time`) are answered with 501, as the Token Status List draft says.
  const historical = operationId.startsWith('readStatusList') ? [501] : []
  return new Set([...statuses, ...historical, ...(gate === undefined ? [] : [503])])
}

function complaint(endpoint: EndpointShape, reply: Reply): string | null {
  if (reply.status >= 500 && !announced(endpoint).has(reply.status)) return 'an answer of 500 or above'
  if (reply.status < 400) return null
  // Not the service's answers, and not to be had in this process: a changed path may name nothing of the API, which the
  // direct lane leaves to Next, and server.mjs words what Node's parser refuses (16 KiB of target and headers).
  if (!reply.isOurs && [404, 431].includes(reply.status)) return null
  return isEnvelope(reply) ? null : 'a refusal without the JSON envelope'
}

export function isEnvelope({ type, text }: Reply): boolean {
  if (type !== 'application/json') return false
  const { error, error_description: description, detail } = JSON.parse(text) as Record<string, unknown>
  return (typeof error === 'string' && typeof description === 'string') || Array.isArray(detail)
}

export const clip = (text: string) =>
  text.length > 1_500 ? `${text.slice(0, 1_500)}… (${text.length} characters)` : text

/** The request in the form in which it can be sent again. */
function describeRequest({ method, target, headers: given, body }: Draft): string {
  const lines = [
    `${method} ${clip(target)}`,
    ...given.map(([name, value]) => `${name}: ${clip(JSON.stringify(value))}`),
  ]
  return [...lines, '', body === null ? '' : clip(JSON.stringify(body.toString('latin1')))].join('\n')
}

export async function tryOut(endpoint: EndpointShape, plan: Plan): Promise<Reply> {
  const draft = await draftOf(endpoint, plan)
  const reply = await send(draft).catch((error: unknown) => {
    throw new Error(`the connection broke on\n${describeRequest(draft)}`, { cause: error })
  })
  const wrong = complaint(endpoint, reply)
  if (wrong !== null) {
    throw new Error(`${wrong}: ${reply.status} ${clip(reply.text)}\non\n${describeRequest(draft)}`)
  }
  return reply
}
