'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { LimitChangeView } from '@/components/lib/api-types'
import { RowList } from '@/components/ui/card'
import { Moment } from '@/components/ui/moment'
import { LimitDifferences } from './limit-differences'
import { limitsTexts } from './messages'

/** Lists the changes of the limits, newest first. */
export function LimitChanges({ changes }: { readonly changes: readonly LimitChangeView[] }) {
  const text = useText(limitsTexts).changes
  if (changes.length === 0) return <p className="text-muted">{text.empty}</p>
  return (
    <RowList aria-label={text.title}>
      {changes.map((change) => (
        <li key={change.id} className="grid gap-3 px-5 py-4">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
            <span className="font-medium">{text.kind[change.kind]}</span>
            <span className="text-sm text-muted">
              <Moment at={change.created_at} style="long" /> · {text.via[change.via]}
            </span>
          </div>
          <LimitDifferences before={change.before} after={change.after} />
        </li>
      ))}
    </RowList>
  )
}
