'use client'

import { CircleCheck, CircleX, Clock } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import type { PrivacyView } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { RowList, Section } from '@/components/ui/card'
import { Moment } from '@/components/ui/moment'
import { privacyTexts } from './messages'

/** Lists the requests that the person made under their rights, with their outcomes. */
export function Requests({ requests }: Pick<PrivacyView, 'requests'>) {
  const text = useText(privacyTexts).requests
  return (
    <Section id="requests" title={text.title}>
      {requests.length === 0 ? (
        <p className="text-muted">{text.none}</p>
      ) : (
        <RowList aria-labelledby="requests">
          {requests.map(({ request_id: id, kind, result, requested_at: at }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3">
              <span className="grid">
                <span className="font-medium">{text.kinds[kind]}</span>
                <span className="text-sm text-muted">
                  <Moment at={at} style="long" />
                </span>
              </span>
              <Badge {...looks(result)}>{text.results[result]}</Badge>
            </li>
          ))}
        </RowList>
      )}
    </Section>
  )
}

function looks(result: PrivacyView['requests'][number]['result']) {
  if (result === 'queued') return { icon: Clock, tone: 'neutral' } as const
  return result === 'failed'
    ? ({ icon: CircleX, tone: 'danger' } as const)
    : ({ icon: CircleCheck, tone: 'success' } as const)
}
