import { newPrincipal, newSetupToken, Person, REDIRECT_URI, type Target } from '../support/actors'
import { newHome, ToolHost, type ToolHostOptions } from './tool-host'

/** A person who approves whatever page their host opens, and an agent of theirs that may do all that tools do. */
export interface Helper {
  readonly host: ToolHost
  readonly principalId: string
  readonly email: string
  /** Of the registration for paying. */
  readonly clientId: string
  readonly walletClientId: string
}

type ApprovalRule = 'every_purchase' | 'above_limits'

export async function startHelper(
  target: Target,
  approvalRule: ApprovalRule = 'every_purchase',
  options: Omit<ToolHostOptions, 'onPage'> = {},
): Promise<Helper> {
  const { principalId, email } = await newPrincipal(target, { approval_rule: approvalRule })
  const person = await Person.signIn(target, principalId)
  const approveAll = async () => {
    for (const { authorization_id: id } of await person.pending()) await person.decide(id, 'approve')
  }
  const onPage = () => {
    void approveAll()
    return 'accept' as const
  }
  const host = await ToolHost.start(await newHome(), { ...options, onPage })
  const register = async (tool: string, more: object = {}) => {
    const setup = { setup_token: await newSetupToken(target, principalId), as_url: target.baseUrl }
    const named = { redirect_uris: [REDIRECT_URI], client_name: 'Helper' }
    const { isError, texts, data } = await host.call(tool, { ...setup, ...named, ...more })
    if (isError) throw new Error(texts.join('\n'))
    return String(data['client_id'])
  }
  const clientId = await register('agent_register')
  const scope = 'wallet:read wallet:write audit:read privacy:dsar'
  const walletClientId = await register('agent_wallet_register', { purpose: 'Looks after the wallet', scope })
  return { host, principalId, email, clientId, walletClientId }
}
