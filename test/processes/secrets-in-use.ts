/** Each kind of secret, used as its holder would, in flows that succeed at a server process. */
import { startForeignIssuer } from '../credentials/foreign-issuer'
import { credentialOf, freshNonce, newOffer, Wallet } from '../credentials/issuance-wallet'
import { encryptResponse, fetchRequest, postForm } from '../credentials/wallet'
import { Agent, exchange, must, newKey, newPrincipal, newSetupToken, operate, Person } from '../support/actors'
import { startPushService } from '../support/push-service'
import { timedSignature } from '../support/timed-signature'
import type { Cluster } from './cluster'
import { mailedToken, PortalPage, type Registration, waitForMessage } from './portal-page'

/** The secrets that the server is started with. */
export interface GivenSecrets {
  readonly keyEncryptionKey: string
  readonly webhook: string
  readonly callback: string
  readonly metricsToken: string
}

/** Names with values. */
type Secrets = Readonly<Record<string, string>>

/** Uses each kind of secret. Returns them by name. */
export async function useEverything(server: Cluster, given: GivenSecrets): Promise<Map<string, string>> {
  const kinds: readonly Secrets[] = [
    { 'key encryption key': given.keyEncryptionKey, 'operator token': server.operatorToken },
    await useTokens(server),
    await usePages(server),
    await useRecoveryCodes(server),
    await changeAddress(server),
    await useOffer(server),
    await offerOwnCredential(server),
    await usePresentation(server),
    await usePushMessages(server),
    await useCard(server),
    await useWebhook(server, given.webhook),
    await decideByPhone(server, given.callback),
    await readMetrics(server, given.metricsToken),
  ]
  const secrets = new Map(kinds.flatMap((kind) => Object.entries(kind)))
  for (const [name, value] of secrets) if (value.length < SHORTEST_CHARS) throw new Error(`no ${name}: "${value}"`)
  return secrets
}

/** What is shorter stands in a heap of some hundred megabytes by chance: the transaction code of an offer has six digits. */
const SHORTEST_CHARS = 16

async function useTokens(server: Cluster): Promise<Secrets> {
  const { principalId } = await newPrincipal(server, { approval_rule: 'every_purchase' })
  const person = await Person.signIn(server, principalId)
  const setupToken = await newSetupToken(server, principalId)
  const agent = await Agent.register(server, principalId)
  const { form, verifier } = await agent.purchase()
  const pushed = must(await agent.push(form), 201)
  await person.decide((await person.pending())[0]?.['authorization_id'], 'approve')
  const { result } = await agent.authorize(pushed.request_uri)
  const tokens = must(await agent.redeem(result['code'] ?? '', verifier), 200)
  must(await agent.settle(tokens.access_token, tokens.mandate_jwt, 'order-1'), 200)
  const refreshed = must(await agent.refresh(tokens.refresh_token), 200)
  return {
    'wallet token': person.token,
    'setup token': setupToken,
    'pushed request handle': pushed.request_uri,
    'authorization code': result['code'] ?? '',
    'code verifier': verifier,
    'access token': tokens.access_token,
    mandate: tokens.mandate_jwt,
    'refresh token': tokens.refresh_token,
    'next refresh token': refreshed.refresh_token,
  }
}

async function readMetrics(server: Cluster, metricsToken: string): Promise<Secrets> {
  const answer = await fetch(`${server.baseUrl}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`)
  return { 'token that reads metrics': metricsToken }
}

/** Opens a page in two browsers. */
async function usePages(server: Cluster): Promise<Secrets> {
  const { email } = await newPrincipal(server)
  const [first, second] = [new PortalPage(server.baseUrl), new PortalPage(server.baseUrl)]
  await first.signInByMail(email)
  must(await first.send('/'), 200)
  const linkToken = await second.signInByMail(email)
  must(await second.send('/'), 200)
  return {
    'token in a sign-in link': linkToken,
    'session cookie of the first page': first.sessionCookie,
    'session cookie': second.sessionCookie,
  }
}

/** A browser in which a new person has just signed in. */
async function newPage(server: Cluster) {
  const { email } = await newPrincipal(server)
  const page = new PortalPage(server.baseUrl)
  await page.signInByMail(email)
  return { email, page }
}

/** Adds a passkey, makes recovery codes with it, adds another passkey with one of them, and undoes all that by mail. */
async function useRecoveryCodes(server: Cluster): Promise<Secrets> {
  const { email, page } = await newPage(server)
  await page.createPasskey(await page.mutate<Registration>('security.startRegistration', {}))
  const undo = await mailedToken(server.baseUrl, email, '/mailed-link')
  const proof = await page.prove({ purpose: 'recovery.codes', subject: {} })
  const { codes } = await page.mutate<{ codes: string[] }>('security.makeRecoveryCodes', { proof })
  const [used = '', unused = ''] = codes
  // Each new passkey replaces the cookie.
  const { sessionCookie } = page
  const started = await page.mutate<Registration>('security.startRecovery', { code: used })
  await page.createPasskey({ ...started, code: used })
  await page.mutate('links.confirm', { token: undo })
  return {
    'recovery code': used,
    'recovery code without hyphens': used.replaceAll('-', ''),
    'unused recovery code': unused,
    'unused recovery code without hyphens': unused.replaceAll('-', ''),
    'token in a link that undoes a passkey': undo,
    'session cookie of the person who recovers': sessionCookie,
  }
}

/** Moves a person to another mail address, and back by the link to the address before. */
async function changeAddress(server: Cluster): Promise<Secrets> {
  const { email: from, page } = await newPage(server)
  const to = `new-${from}`
  await page.mutate('notifications.changeEmail', { email: to })
  const [confirm, undo] = await Promise.all([to, from].map((one) => mailedToken(server.baseUrl, one, '/mailed-link')))
  for (const token of [confirm, undo]) await new PortalPage(server.baseUrl).mutate('links.confirm', { token })
  return {
    'token in a link that confirms an address': confirm ?? '',
    'token in a link that undoes an address': undo ?? '',
    'session cookie of the person with another address': page.sessionCookie,
  }
}

/** Fetches a credential that the operator offers, as wallets that follow the standard do. */
async function useOffer(server: Cluster): Promise<Secrets> {
  const offer = await newOffer(server)
  const wallet = await Wallet.open(server)
  const { access_token: token = '' } = must(await wallet.token(offer.code), 200)
  const nonce = await freshNonce(server)
  const proof = await wallet.proof(nonce)
  const body = { credential_configuration_id: 'service_age_verified_buyer', proofs: { jwt: [proof] } }
  const issued = await wallet.request(body, await wallet.withToken(token))
  must(issued, 200)
  const open = await newOffer(server)
  const address = new URL(open.credential_offer_uri)
  must(await exchange(address.href), 200)
  return {
    'pre-authorized code': offer.code,
    'access token for a credential': token,
    'nonce for the proof of a key': nonce,
    'proof of a key': proof,
    'issued credential': credentialOf(issued),
    'pre-authorized code of an open offer': open.code,
    'handle of an open offer': address.pathname.split('/').at(-1) ?? '',
  }
}

/** A person offers themselves a credential, which a wallet fetches for the code itself. */
async function offerOwnCredential(server: Cluster): Promise<Secrets> {
  const { page } = await newPage(server)
  const offer = await page.mutate('credentials.offer', {})
  const inline = new URL(offer['deep_link'] ?? '').searchParams.get('credential_offer') ?? ''
  const code = /"pre-authorized_code":"([\w-]+)"/.exec(inline)?.[1] ?? ''
  const wallet = await Wallet.open(server)
  must(await wallet.redeem(code, await freshNonce(server), { tx_code: offer['tx_code'] }), 200)
  return {
    'pre-authorized code of an own offer': code,
    'session cookie of the person with an offer': page.sessionCookie,
  }
}

const VCT = 'https://credentials.example/identity/1'

/** Asks a wallet for a credential of another issuer, and reads what it has presented. */
async function usePresentation(server: Cluster): Promise<Secrets> {
  const [issuer, holder] = [await startForeignIssuer(), await newKey('ES256')]
  try {
    const issuers = [{ issuer: issuer.issuer, algs: ['ES256'] }]
    must(await operate(server, 'PUT', '/trust-lists/EU', { issuers }), 200)
    const { read, claims } = await requestPresentation(server)
    const issued = await issuer.issue({ vct: VCT, claims: { given_name: 'Ada' }, holder })
    const presented = await issuer.present(issued, { holder, aud: claims.client_id, nonce: claims.nonce })
    const response = await encryptResponse(claims, { state: claims.state, vp_token: { pid: [presented] } })
    must(await postForm(claims.response_uri, { response }), 200)
    const { status } = must(await read(), 200)
    if (status !== 'verified') throw new Error(`the presentation is ${status}`)
    const open = await requestPresentation(server)
    return {
      'handle of a presentation request': claims.response_uri.split('/').at(-1) ?? '',
      'nonce of a presentation request': claims.nonce,
      'state of a presentation request': claims.state,
      'presented credential': presented,
      'response with a presentation': response,
      'handle of an open presentation request': open.claims.response_uri.split('/').at(-1) ?? '',
      'nonce of an open presentation request': open.claims.nonce,
      'state of an open presentation request': open.claims.state,
    }
  } finally {
    await issuer.close()
  }
}

async function requestPresentation(server: Cluster) {
  const headers = { authorization: `Bearer ${server.operatorToken}`, 'content-type': 'application/json' }
  const credentials = [
    { id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: [VCT] }, claims: [{ path: ['given_name'] }] },
  ]
  const body = JSON.stringify({ dcql_query: { credentials }, region: 'EU' })
  const asked = await exchange<Record<string, string>>(`${server.baseUrl}/eudiw/request`, {
    method: 'POST',
    headers,
    body,
  })
  const { claims } = await fetchRequest(must(asked, 200)['deep_link'] ?? '')
  return { claims, read: () => exchange<{ status: string }>(claims.response_uri, { headers }) }
}

/** Turns push messages on in a browser, and has one sent. */
async function usePushMessages(server: Cluster): Promise<Secrets> {
  const pushes = await startPushService()
  try {
    const { page } = await newPage(server)
    const browser = pushes.subscribe()
    const { id } = await page.mutate('notifications.addDevice', browser)
    const { outcome } = await page.mutate('notifications.testDevice', { id })
    if (outcome !== 'accepted') throw new Error(`the message was ${outcome}`)
    return {
      'auth secret of a push subscription': browser.auth,
      'address of a push subscription': browser.endpoint,
      'session cookie of the person with a device': page.sessionCookie,
    }
  } finally {
    await pushes.close()
  }
}

/** Begins to add a card, which its holder enters at the processor; what a browser shows there is the client secret. */
async function useCard(server: Cluster): Promise<Secrets> {
  const { page } = await newPage(server)
  const { client_secret: clientSecret = '' } = await page.mutate('cards.beginEnrolment', {})
  await page.mutate('cards.enrolTestCard', { number: '4242 4242 4242 4242' })
  return {
    'client secret of a card': clientSecret,
    'session cookie of the person with a card': page.sessionCookie,
  }
}

/** Sends the signed event of a card processor. */
async function useWebhook(server: Cluster, secret: string): Promise<Secrets> {
  const body = JSON.stringify({ id: 'evt_secrets', type: 'customer.created', data: { object: {} } })
  await postSigned(server, { path: '/webhooks/stripe', header: 'processor-signature', body, secret })
  return { 'webhook secret': secret }
}

/** Exceeds a limit, and approves it from the phone that is asked. */
async function decideByPhone(server: Cluster, secret: string): Promise<Secrets> {
  const phone = '+353851234567'
  const { principalId } = await newPrincipal(server, { approval_rule: 'above_limits', rcs_phone_e164: phone })
  const person = await Person.signIn(server, principalId)
  const agent = await Agent.register(server, principalId)
  const bought = await agent.buy()
  await person.call('POST', '/wallet/limits', { single_txn_cap_minor: 1_000, currency: 'EUR' })
  must(await agent.settle(bought.access_token, bought.mandate_jwt, 'order-2'), 403)
  const { data } = await waitForMessage(server.baseUrl, (one) => one.to === phone && one.data !== undefined)
  const body = JSON.stringify({ ...data, action: 'approve' })
  await postSigned(server, { path: '/oauth/rcs/limit-bump/callback', header: 'rcs-signature', body, secret })
  return { 'callback secret': secret, 'token in a question to a phone': data?.['token'] ?? '' }
}

interface SignedRequest {
  readonly path: string
  readonly header: string
  readonly body: string
  readonly secret: string
}

async function postSigned(server: Cluster, { path, header, body, secret }: SignedRequest): Promise<void> {
  const signature = timedSignature(body, { secret, now: new Date() })
  const headers = { 'content-type': 'application/json', [header]: signature }
  must(await exchange(server.baseUrl + path, { method: 'POST', headers, body }), 200)
}
