'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useHydrated } from '@/components/lib/use-hydrated'
import { Button, ButtonLink } from '@/components/ui/button'
import { welcomeTexts } from './messages'
import { addressOf, after, type StepId } from './steps'

interface StepActionsProps {
  readonly step: StepId
  /** Whether nothing is left to do in this step. */
  readonly done: boolean
}

/** Links to the next step, which is always possible, and out of the set-up. */
export function StepActions({ step, done }: StepActionsProps) {
  const text = useText(welcomeTexts)
  return (
    <Actions>
      <ButtonLink href={addressOf(after(step))} variant={done ? 'primary' : 'secondary'}>
        {text.continue}
      </ButtonLink>
    </Actions>
  )
}

/** Lays out the buttons that continue and leave. */
export function Actions({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-3">
      {children}
      <NotNow />
    </div>
  )
}

/** Goes home, even where leaving could not be stored; the next sign-in then starts the set-up again. */
function NotNow() {
  const text = useText(welcomeTexts)
  const trpc = useTRPC()
  const router = useRouter()
  const hydrated = useHydrated()
  const leave = useMutation(trpc.welcome.leave.mutationOptions())
  const go = () => {
    leave.mutate()
    router.push('/')
  }
  return (
    <Button variant="quiet" disabled={!hydrated} onClick={go}>
      {text.notNow}
    </Button>
  )
}
