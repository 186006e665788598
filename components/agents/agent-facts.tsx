'use client'

import { scopeTexts } from '@/components/approvals/messages'
import { ScopeList } from '@/components/approvals/scope-list'
import { useText } from '@/components/i18n/locale-provider'
import type { AgentView } from '@/components/lib/api-types'
import { plainText } from '@/components/lib/plain-text'
import { Fact, Facts } from '@/components/ui/facts'
import { Ago, Moment } from '@/components/ui/moment'
import { agentsTexts } from './messages'
import { Spent } from './spent'

const PURPOSE_MAX = 500

export function AgentFacts({ agent }: { readonly agent: AgentView }) {
  const agentsText = useText(agentsTexts)
  const text = agentsText.one
  const scopeText = useText(scopeTexts)
  const scopes = agent.scopes.filter((scope) => scope !== 'openid')
  const purpose = plainText(agent.purpose ?? '', PURPOSE_MAX)
  return (
    <Facts>
      <Fact name={text.purpose}>{purpose === '' ? agentsText.noPurpose : <bdi>{purpose}</bdi>}</Fact>
      <Fact name={text.may}>
        <ScopeList scopes={scopes} text={scopeText} />
      </Fact>
      <Fact name={text.connected}>
        <Moment at={agent.created_at} style="long" />
      </Fact>
      <Fact name={text.lastUsed}>
        {agent.last_used_at === null ? agentsText.never : <Ago at={agent.last_used_at} />}
      </Fact>
      <Fact name={text.spent}>
        <Spent amounts={agent.spent_this_month} />
      </Fact>
      {agent.key_thumbprint === null ? null : (
        <Fact name={text.key}>
          <code className="font-mono text-sm">{agent.key_thumbprint}</code>
        </Fact>
      )}
      <Fact name={text.id}>
        <code className="font-mono text-sm">{agent.client_id}</code>
      </Fact>
    </Facts>
  )
}
