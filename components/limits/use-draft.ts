import { useEffect, useEffectEvent, useState } from 'react'
import type { LimitsDraft } from './limits-draft'

/**
 * A draft of the stored limits. A change of these, here or on another device, resets it. Calls `onDraft` with every
 * draft, so that the page can describe what all of them would do.
 */
export function useDraft(
  stored: LimitsDraft,
  onDraft: (draft: LimitsDraft) => void = () => undefined,
): readonly [draft: LimitsDraft, setDraft: (draft: LimitsDraft) => void] {
  const key = JSON.stringify(stored)
  const [typed, setTyped] = useState({ key, draft: stored })
  const current = typed.key === key ? typed : { key, draft: stored }
  if (typed.key !== key) setTyped(current)
  const { draft } = current
  const tell = useEffectEvent(onDraft)
  useEffect(() => tell(draft), [draft])
  return [draft, (next) => setTyped({ key, draft: next })]
}
