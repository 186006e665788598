'use client'

import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { SecurityActivityView } from '@/components/lib/api-types'
import { RowList, Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageLinks } from '@/components/ui/page-links'
import { securityActivityTexts } from './activity-messages'
import { SECURITY_ACTIVITY_PATH } from './activity-path'
import { ChangeRow } from './change-row'
import { SignInRow } from './sign-in-row'
import { Undoable } from './undoable'

interface SecurityActivityProps {
  /** The cursor of the page; undefined for the newest. */
  readonly before: string | undefined
  readonly initial: SecurityActivityView
}

/** Lists the security events of the wallet, with what can be done about each. */
export function SecurityActivity({ before, initial }: SecurityActivityProps) {
  const text = useText(securityActivityTexts)
  const trpc = useTRPC()
  const search = before === undefined ? {} : { before }
  const { data } = useQuery({ ...trpc.security.activity.queryOptions(search), initialData: initial })
  return (
    <>
      <Undoable changes={data.undoable} />
      <Section id="happened" title={text.list}>
        {data.entries.length === 0 ? (
          <EmptyState icon={ShieldCheck} title={text.empty.title}>
            {text.empty.body}
          </EmptyState>
        ) : (
          <RowList aria-labelledby="happened">
            {data.entries.map((entry) =>
              entry.kind === 'sign_in' ? (
                <SignInRow key={entry.session} signIn={entry} />
              ) : (
                <ChangeRow key={entry.seq} change={entry} />
              ),
            )}
          </RowList>
        )}
      </Section>
      <PageLinks
        words={text}
        newest={before === undefined ? null : SECURITY_ACTIVITY_PATH}
        older={data.next_before === null ? null : `${SECURITY_ACTIVITY_PATH}?before=${data.next_before}`}
      />
    </>
  )
}
