'use client'

import { Toast } from '@base-ui/react/toast'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { readRequestError } from '@/components/lib/request-error'
import { RequestFailure } from '@/components/ui/request-failure'
import { limitsTexts } from './messages'
import type { UndoOfferProps } from './undo-offer'

/** How long the button that undoes a lowering is shown; the server accepts it a little longer, for slow connections. */
const OFFERED_MS = 10_000
const TOLD_MS = 6_000

/** A message over the page that offers to undo a lowering of limits, and says whether that worked. */
export function UndoToast(props: UndoOfferProps) {
  return (
    <Toast.Provider limit={1} timeout={OFFERED_MS}>
      <Offer {...props} />
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-[calc(5rem+env(safe-area-inset-bottom))] z-30 mx-auto max-w-md lg:bottom-6">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Toasts() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['down', 'right']}
      className="absolute inset-x-0 bottom-0 rounded-card border border-line bg-surface text-ink shadow-overlay transition-opacity data-ending-style:opacity-0 data-limited:opacity-0 data-starting-style:opacity-0 motion-reduce:transition-none"
    >
      <Toast.Content className="flex items-center justify-between gap-4 p-3 ps-4">
        <Toast.Title render={<p />} className="min-w-0 font-medium" />
        <Toast.Action className="min-h-11 shrink-0 rounded-control px-4 font-medium text-accent hover:bg-accent-soft" />
      </Toast.Content>
    </Toast.Root>
  ))
}

function Offer({ changeId, onUndone }: UndoOfferProps) {
  const text = useText(limitsTexts).undo
  const toasts = Toast.useToastManager()
  const trpc = useTRPC()
  const queries = useQueryClient()
  const tell = (title: string) => toasts.add({ title, timeout: TOLD_MS })
  const { mutate: undo, error } = useMutation(
    trpc.limits.undoLowering.mutationOptions({
      onSuccess: () => {
        tell(text.undone)
        onUndone()
      },
      onError: (refusal) => {
        if (isAnswered(refusal)) tell(text.failed)
      },
      onSettled: () => queries.invalidateQueries(),
    }),
  )
  const offer = useEffectEvent((id: string) => {
    const take = () => {
      toasts.close(id)
      undo({ change_id: id })
    }
    toasts.add({ id, title: text.lowered, timeout: OFFERED_MS, actionProps: { children: text.action, onClick: take } })
  })
  useEffect(() => {
    if (changeId !== null) offer(changeId)
  }, [changeId])
  return error === null || isAnswered(error) ? null : <RequestFailure error={error} />
}

const isAnswered = (error: unknown): boolean => readRequestError(error).code !== null
