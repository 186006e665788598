'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { scopeTexts } from '@/components/approvals/scope-messages'
import { useText } from '@/components/i18n/locale-provider'
import type { AgentView } from '@/components/lib/api-types'
import { RowList } from '@/components/ui/card'
import { Moment } from '@/components/ui/moment'
import { RequestFailure } from '@/components/ui/request-failure'
import { agentsTexts } from './messages'
import { RememberedRow } from './remembered-row'

interface RememberedAccessProps {
  readonly clientId: string
  readonly access: AgentView['remembered_access']
}

export function RememberedAccess({ clientId, access }: RememberedAccessProps) {
  const text = useText(agentsTexts).one
  const scopeText = useText(scopeTexts)
  const trpc = useTRPC()
  const queries = useQueryClient()
  const end = useMutation(trpc.agents.endAccess.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  return (
    <div className="grid gap-3">
      {end.isError ? <RequestFailure error={end.error} /> : null}
      <RowList aria-label={text.access}>
        {access.map(({ scope, created_at: since, session_until: until }) => {
          const title = scope
            .split(' ')
            .map((name) => scopeText[name]?.title ?? name)
            .join(', ')
          return (
            <RememberedRow
              key={scope}
              title={title}
              detail={
                <>
                  {text.accessSince} <Moment at={since} style="date" />
                  {until === null ? null : (
                    <>
                      {' · '}
                      {text.accessUntil} <Moment at={until} />
                    </>
                  )}
                </>
              }
              action={text.accessEnd}
              actionName={text.accessEndName(title)}
              busy={end.isPending && end.variables.scope === scope}
              onAction={() => end.mutate({ client_id: clientId, scope })}
            />
          )
        })}
      </RowList>
    </div>
  )
}
