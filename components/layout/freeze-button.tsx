'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Snowflake } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useTRPC } from '@/components/api/client'
import { useLocale } from '@/components/i18n/locale-provider'
import { useHydrated } from '@/components/lib/use-hydrated'
import { Button } from '@/components/ui/button'

const loadFailure = () => import('@/components/ui/request-failure')
/** Fetched once the page works, so that it is there when the server is not. */
const RequestFailure = lazy(() => loadFailure().then(({ RequestFailure: view }) => ({ default: view })))

const PRESSED_ID = 'freeze-pressed'

interface FreezeButtonProps {
  readonly isFrozen: boolean
  readonly label: string
  /** What stands in place of a press that the page has not taken yet. */
  readonly busyLabel: string
}

/**
 * Stops all agents with one press. One that comes before the page works opens a popover, which the browser does without
 * scripts; the page finds it open and sends the press.
 */
export function FreezeButton({ isFrozen, label, busyLabel }: FreezeButtonProps) {
  const freeze = useFreeze()
  const button = useRef<HTMLButtonElement>(null)
  const early = useRef<HTMLSpanElement>(null)
  const { mutate } = freeze
  const press = () => {
    // Not every browser does that by itself; the button that takes its place gets the focus from here.
    button.current?.focus()
    mutate()
  }
  const takePress = useRef(press)
  const locale = useLocale()
  useEffect(() => {
    loadFailure().then(
      ({ loadFailureWords }) => loadFailureWords(locale),
      () => undefined,
    )
  }, [locale])
  const works = useHydrated()
  useEffect(() => {
    if (early.current?.matches(':popover-open') !== true) return
    early.current.hidePopover()
    takePress.current()
  }, [])
  return (
    <>
      {isFrozen ? null : (
        <Button
          ref={button}
          data-focus-next
          variant="secondary"
          size="sm"
          className="ms-auto"
          busy={freeze.isPending}
          popoverTarget={works ? undefined : PRESSED_ID}
          popoverTargetAction="show"
          onClick={press}
        >
          <Snowflake aria-hidden />
          {label}
        </Button>
      )}
      <span
        ref={early}
        id={PRESSED_ID}
        popover="manual"
        role="status"
        className="inset-x-0 top-0 bottom-auto m-auto w-fit rounded-b-control bg-warning-soft px-4 py-3 font-medium text-warning"
      >
        {busyLabel}
      </span>
      <Suspense fallback={null}>{freeze.isError ? <RequestFailure error={freeze.error} /> : null}</Suspense>
    </>
  )
}

/** Whether the notice that spending is frozen can be shown, which pages fetch only then. */
const isNoticeThere = () =>
  import('./stopped').then(
    () => true,
    () => false,
  )

/** Sends the freeze at once, shows it as soon as its notice is there, and as it was when the server did not freeze. */
function useFreeze() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const key = trpc.session.me.queryKey()
  const mutationKey = trpc.limits.freeze.mutationKey()
  const show = () =>
    queries.setQueryData(key, (me) => me && { ...me, frozen_at: me.frozen_at ?? new Date().toISOString() })
  return useMutation(
    trpc.limits.freeze.mutationOptions({
      onMutate: async () => {
        await queries.cancelQueries({ queryKey: key })
        const before = queries.getQueryData(key)
        // Without a network there is no notice to show: then the press fails, and says so.
        void isNoticeThere().then((isThere) => {
          if (isThere && queries.isMutating({ mutationKey }) > 0) show()
        })
        return before
      },
      onError: (_error, _input, before) => {
        queries.setQueryData(key, before)
      },
      onSettled: () => queries.invalidateQueries(),
    }),
  )
}
