import { Check } from 'lucide-react'
import type { TextOf } from '@/components/i18n/texts'
import type { scopeTexts } from './scope-messages'

interface ScopeListProps {
  readonly scopes: readonly string[]
  readonly text: TextOf<typeof scopeTexts>
}

/** Shows permissions in words. */
export function ScopeList({ scopes, text }: ScopeListProps) {
  return (
    <ul className="grid gap-3">
      {scopes.map((scope) => (
        <li key={scope} className="flex gap-2.5">
          <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
          <div>
            <p className="font-medium">{text[scope]?.title ?? scope}</p>
            {text[scope] === undefined ? null : <p className="text-sm text-muted">{text[scope].hint}</p>}
          </div>
        </li>
      ))}
    </ul>
  )
}
