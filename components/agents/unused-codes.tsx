'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { AgentList } from '@/components/lib/api-types'
import { plainName } from '@/components/lib/plain-text'
import { RowList, Section } from '@/components/ui/card'
import { Moment } from '@/components/ui/moment'
import { RequestFailure } from '@/components/ui/request-failure'
import { agentsTexts } from './messages'
import { RememberedRow } from './remembered-row'

/** Lists the setup tokens that can still connect an agent, since each was shown only once. */
export function UnusedCodes({ codes }: { readonly codes: AgentList['setup_tokens'] }) {
  const text = useText(agentsTexts).codes
  const trpc = useTRPC()
  const queries = useQueryClient()
  const cancel = useMutation(
    trpc.agents.cancelSetupToken.mutationOptions({ onSettled: () => queries.invalidateQueries() }),
  )
  return (
    <Section id="codes" title={text.title} description={text.hint}>
      {cancel.isError ? <RequestFailure error={cancel.error} /> : null}
      <RowList aria-label={text.title}>
        {codes.map(({ id, name: given, created_at: madeAt, expires_at: until }) => {
          const name = given === null ? text.noName : plainName(given)
          return (
            <RememberedRow
              key={id}
              title={name}
              detail={
                <>
                  {text.made} <Moment at={madeAt} /> · {text.until} <Moment at={until} />
                </>
              }
              action={text.cancel}
              actionName={text.cancelName(name)}
              busy={cancel.isPending && cancel.variables.id === id}
              onAction={() => cancel.mutate({ id })}
            />
          )
        })}
      </RowList>
    </Section>
  )
}
