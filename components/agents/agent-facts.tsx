'use client'

import { ScopeList } from '@/components/approvals/scope-list'
import { scopeTexts } from '@/components/approvals/scope-messages'
import { useText } from '@/components/i18n/locale-provider'
import type { AgentView } from '@/components/lib/api-types'
import { plainName, plainText } from '@/components/lib/plain-text'
import { Disclosure } from '@/components/ui/disclosure'
import { Fact, Facts } from '@/components/ui/facts'
import { ForeignText } from '@/components/ui/foreign-text'
import { Ago, Moment } from '@/components/ui/moment'
import { agentsTexts } from './messages'

const PURPOSE_MAX = 500

/** Shows when the agent was last used and connected, its own name where it was given another, and its stated purpose. */
export function AgentLine({ agent }: { readonly agent: AgentView }) {
  const agentsText = useText(agentsTexts)
  const purpose = plainText(agent.purpose ?? '', PURPOSE_MAX)
  return (
    <div className="grid text-muted">
      <p>
        {agent.last_used_at === null ? null : (
          <>
            {agentsText.lastUsed} <Ago at={agent.last_used_at} /> ·{' '}
          </>
        )}
        {agentsText.one.connected} <Moment at={agent.created_at} style="date" />
      </p>
      {agent.given_name === null ? null : (
        <p className="own-space wrap-anywhere">
          {agentsText.one.ownName}: <ForeignText text={agent.own_name} />
        </p>
      )}
      {purpose === '' ? null : (
        <p className="own-space wrap-anywhere">
          <bdi>{purpose}</bdi>
        </p>
      )}
    </div>
  )
}

/** Shows technical details, for the person who set the agent up. */
export function TechnicalDetails({ agent }: { readonly agent: AgentView }) {
  const text = useText(agentsTexts).one
  const scopeText = useText(scopeTexts)
  const scopes = agent.scopes.filter((scope) => scope !== 'openid')
  return (
    <Disclosure summary={text.technical}>
      <Facts>
        <Fact name={text.ownName}>
          <bdi>{plainName(agent.own_name)}</bdi>
        </Fact>
        <Fact name={text.may}>
          <ScopeList scopes={scopes} text={scopeText} />
        </Fact>
        <Fact name={text.id}>
          <code className="font-mono text-sm">{agent.client_id}</code>
        </Fact>
        {agent.key_thumbprint === null ? null : (
          <Fact name={text.key}>
            <code className="font-mono text-sm">{agent.key_thumbprint}</code>
          </Fact>
        )}
      </Facts>
    </Disclosure>
  )
}
