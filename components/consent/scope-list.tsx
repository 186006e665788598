'use client'

import { Check } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { scopeTexts } from './messages'

/** Permissions in words. */
export function ScopeList({ scopes }: { readonly scopes: readonly string[] }) {
  const scopeText = useText(scopeTexts)
  return (
    <ul className="grid gap-3">
      {scopes.map((scope) => (
        <li key={scope} className="flex gap-2.5">
          <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
          <div>
            <p className="font-medium">{scopeText[scope]?.title ?? scope}</p>
            {scopeText[scope] === undefined ? null : <p className="text-sm text-muted">{scopeText[scope].hint}</p>}
          </div>
        </li>
      ))}
    </ul>
  )
}
