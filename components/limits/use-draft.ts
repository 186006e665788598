import { useEffect, useEffectEvent, useState } from 'react'
import type { LimitsDraft } from './limits-draft'

/**
 * What is typed over what is stored. When that changes, here or on another device, it is what there is to edit. Every draft is
 * told, so that the page can say what all of them would mean.
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
