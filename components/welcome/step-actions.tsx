'use client'

import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { ButtonLink } from '@/components/ui/button'
import { welcomeTexts } from './messages'
import { addressOf, after, type StepId } from './steps'

interface StepActionsProps {
  readonly step: StepId
  /** There is nothing left to do in this step. */
  readonly done: boolean
}

/** The way on, which a step does not bar, and the way out. */
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

/** What goes on, beside what leaves. */
export function Actions({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-3">
      {children}
      <NotNow />
    </div>
  )
}

/** Leads home, also where leaving could not be stored: then signing in leads here once more. */
function NotNow() {
  const text = useText(welcomeTexts)
  const trpc = useTRPC()
  const leave = useMutation(trpc.welcome.leave.mutationOptions())
  return (
    <ButtonLink href="/" variant="quiet" onClick={() => leave.mutate()}>
      {text.notNow}
    </ButtonLink>
  )
}
