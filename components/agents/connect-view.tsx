'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { LimitsView } from '@/components/lib/api-types'
import { PageHeader } from '@/components/ui/page-header'
import { ConnectAgent } from './connect-agent'
import { agentsTexts } from './messages'

interface ConnectViewProps {
  /** The limits over all agents. */
  readonly wallet: LimitsView['limits']
}

export function ConnectView({ wallet }: ConnectViewProps) {
  const text = useText(agentsTexts).new
  const back = { href: '/agents', label: text.back }
  return (
    <div data-focus-scope className="contents">
      <ConnectAgent
        wallet={wallet}
        header={<PageHeader title={text.title} description={text.description} back={back} />}
        back={back}
      />
    </div>
  )
}
