'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { StoredKind } from '@/components/lib/api-types'
import { keptTexts } from './kept-messages'

const DAY_SECONDS = 86_400

/** Lists kinds of data with how long each is kept and why. */
export function StoredKinds({ kinds }: { readonly kinds: readonly StoredKind[] }) {
  const text = useText(keptTexts)
  return (
    <dl className="grid gap-4">
      {kinds.map(({ kind, kept, ground }) => (
        <div key={kind} className="grid gap-0.5">
          <dt className="font-medium">{text.kinds[kind].what}</dt>
          <dd className="max-w-prose text-muted">
            {text.kinds[kind].why} ({text.grounds[ground]}); {keptOf(text, kept)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Text = ReturnType<typeof useText<typeof keptTexts.en>>

function keptOf(text: Text, kept: StoredKind['kept']): string {
  if (kept === 'until_erased') return text.untilErased
  return text.kept(kept === 'while_the_service_runs' ? null : Math.ceil(kept / DAY_SECONDS))
}
