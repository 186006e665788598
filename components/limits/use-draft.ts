import { useEffect, useEffectEvent, useState } from 'react'
import { useLocale } from '@/components/i18n/locale-provider'
import type { LimitsDraft } from './limits-draft'

/**
 * Returns a draft of the stored limits. A change of the stored limits, here or on another device, resets it; a change of
 * the language or of the time zone, which is known late in the browser, does not. Calls `onDraft` with every draft, so
 * that the page can describe the effect of all of them.
 */
export function useDraft(
  stored: LimitsDraft,
  onDraft: (draft: LimitsDraft) => void = () => undefined,
): readonly [draft: LimitsDraft, setDraft: (draft: LimitsDraft) => void] {
  const locale = useLocale()
  const key = JSON.stringify(stored)
  const [typed, setTyped] = useState({ key, locale, stored, draft: stored })
  const isRead = typed.locale === locale && typed.stored.timeZone === stored.timeZone
  const isCurrent = isRead && typed.key === key
  const current = isCurrent ? typed : { key, locale, stored, draft: isRead ? stored : rebased(typed, stored) }
  if (!isCurrent) setTyped(current)
  const { draft } = current
  const tell = useEffectEvent(onDraft)
  useEffect(() => tell(draft), [draft])
  return [draft, (next) => setTyped({ ...current, draft: next })]
}

interface Typed {
  readonly stored: LimitsDraft
  readonly draft: LimitsDraft
}

/** Returns the stored values with those that the person had changed before. */
function rebased({ stored: before, draft }: Typed, stored: LimitsDraft): LimitsDraft {
  const changed = Object.entries(draft).filter(([name, value]) => value !== Reflect.get(before, name))
  return { ...stored, ...Object.fromEntries(changed) }
}
