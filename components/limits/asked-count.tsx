'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useTRPC } from '@/components/api/client'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import { type LimitsDraft, readDraft } from './limits-draft'
import { limitsTexts } from './messages'

/** What the limits as typed would have meant for the payments of the last 30 days; nothing while they cannot be read. */
export function AskedCount({ draft }: { readonly draft: LimitsDraft }) {
  const { form, asked: text } = useText(limitsTexts)
  const locale = useLocale()
  const trpc = useTRPC()
  const { errors, limits } = readDraft(useDeferredValue(draft), { text: form, locale })
  const isReadable = Object.keys(errors).length === 0
  const { data } = useQuery({
    ...trpc.limits.askedCount.queryOptions(limits),
    enabled: isReadable,
    placeholderData: keepPreviousData,
  })
  return (
    <p role="status" className="min-h-6 text-sm text-muted">
      {isReadable && data !== undefined && data.payments > 0 ? text.sentence(data.asked, data.payments) : null}
      {isReadable && data !== undefined && data.refused > 0 ? ` ${text.refused(data.refused)}` : null}
    </p>
  )
}
