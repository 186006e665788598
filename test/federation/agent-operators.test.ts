/** Operators of agents: an agent that only has keys of a verified operator is shown as operated by it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readApproval } from '@/server/surfaces/portal'
import { Agent, type Key, must, newKey, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { withPortal } from '../support/wallet-token'
import { type Claims, type Federation, patch, startFederation } from './entities'
import { check, checkAgain } from './run-checks'
import { type Keyed, newVouched } from './vouched'

let app: App
let federation: Federation
let operator: Keyed
beforeAll(async () => {
  app = await startApp({ env: { SWITCH_FEDERATION: 'true', REQUESTS_PER_MINUTE: '0' } })
  federation = await startFederation(app)
  operator = await newVouched(app, federation, { role: 'agent_operator', name: 'helpful' })
  await check(app)
})
afterAll(async () => {
  await federation.close()
  await app.close()
})

/** Who is shown to operate an agent of these keys, which signs with the first, on the page of what it asks for. */
async function shownOperator(keys: readonly Key[], metadata: Claims = {}) {
  const { principalId } = await newPrincipal(app, { approval_rule: 'every_purchase' })
  const jwks = { keys: keys.map((key, index) => ({ ...key.jwk, kid: `key-${index}` })) }
  const { clientId, dpopKey } = await Agent.register(app, principalId, { jwks, ...metadata })
  const [key = expect.fail('no key')] = keys
  const agent = new Agent(app, clientId, key, dpopKey, principalId)
  must(await agent.push((await agent.purchase()).form), 201)
  const [waiting] = await (await Person.signIn(app, principalId)).pending()
  const view = await readApproval(withPortal(app, principalId), { id: String(waiting?.['authorization_id']) })
  return view.operated_by
}

test('an agent whose keys are all those of a verified operator is shown as operated by it', async () => {
  const shown = await shownOperator([operator.catalogKey])
  expect(shown).toEqual({ entity_id: operator.id, name: 'helpful Ltd' })
})

test('an operator whose name holds a card number or hidden characters is shown without it, and joiners stay', async () => {
  const named = await newVouched(app, federation, { role: 'agent_operator', name: 'named' })
  const shownAs = async (name: string) => {
    named.claims['metadata'] = {
      ...(named.claims['metadata'] as Claims),
      federation_entity: { organization_name: name },
    }
    await checkAgain(app)
    return shownOperator([named.catalogKey])
  }
  for (const name of ['4242 4242 4242 4242', 'Tallow\u3164Bank', '\u3164']) {
    expect(await shownAs(name), JSON.stringify(name)).toEqual({ entity_id: named.id, name: null })
  }
  const joined = '\u0645\u06cc\u200c\u062e\u0631\u0645'
  expect(await shownAs(joined)).toEqual({ entity_id: named.id, name: joined })
})

test('an agent cannot claim an operator by what it says of itself, nor by naming its key beside its own', async () => {
  const own = await newKey()
  const claims = { client_name: 'helpful Ltd', client_uri: operator.id, operated_by: operator.id }
  expect(await shownOperator([own], claims)).toBeNull()
  expect(await shownOperator([own, operator.catalogKey])).toBeNull()
})

test('an operator is not shown where another one claims the same keys, nor once it lost its mark', async () => {
  const other = await newVouched(app, federation, { role: 'agent_operator', name: 'copycat' })
  other.claims['metadata'] = { oauth_client: { jwks: { keys: [{ ...operator.catalogKey.jwk, kid: 'copied' }] } } }
  await checkAgain(app)
  expect(await shownOperator([operator.catalogKey])).toBeNull()
  must(await patch(app, other.id, { trust_mark_ids: [] }), 200)
  expect(await shownOperator([operator.catalogKey])).toMatchObject({ entity_id: operator.id })
  must(await patch(app, operator.id, { status: 'suspended' }), 200)
  expect(await shownOperator([operator.catalogKey])).toBeNull()
})
