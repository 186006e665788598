'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Snowflake } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useTRPC } from '@/components/api/client'
import { useLocale } from '@/components/i18n/locale-provider'
import { useHydrated } from '@/components/lib/use-hydrated'
import { Button } from '@/components/ui/button'

const loadFailure = () => import('@/components/ui/request-failure')
/** Fetched once the page works, so that it can be shown when the server is out of reach. */
const RequestFailure = lazy(() => loadFailure().then(({ RequestFailure: view }) => ({ default: view })))

const PRESSED_ID = 'freeze-pressed'

interface FreezeButtonProps {
  readonly isFrozen: boolean
  readonly label: string
  /** The text shown for a press that the page has not handled yet. */
  readonly busyLabel: string
}

/**
 * Freezes the wallet with one press. A press before the page works opens a popover, for which the browser needs no
 * script; once the page works, it finds the popover open and sends the press.
 */
export function FreezeButton({ isFrozen, label, busyLabel }: FreezeButtonProps) {
  const freeze = useFreeze()
  const button = useRef<HTMLButtonElement>(null)
  const early = useRef<HTMLSpanElement>(null)
  const { mutate } = freeze
  const press = () => {
    // Not every browser focuses a pressed button, and the button that replaces it takes the focus over.
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

/** Returns whether the notice that the wallet is frozen can be shown; pages fetch it only when needed. */
const isNoticeThere = () =>
  import('./stopped').then(
    () => true,
    () => false,
  )

/**
 * Sends the freeze at once and shows it as soon as its notice is loaded; undoes that when the server did not freeze.
 */
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
        // Without a network there is no notice to show; the press then fails and says so.
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
