'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { StepUpAction, StepUpProof } from '@/server/identity/passkeys/contract'
import { StepUpError, useStepUp } from './use-step-up'

interface Saving<T> {
  readonly mutateAsync: (change: T & { readonly proof?: StepUpProof | undefined }) => Promise<unknown>
  readonly reset: () => void
}

interface PendingChange<T, S> {
  readonly change: T
  /** What the change relaxes, from what to what, as the server sees it. */
  readonly subject: S
}

/** Saves a change that lets agents do more, or the person hear less, after the person has confirmed it. */
export function useRelaxing<T extends object, S extends StepUpAction['subject']>(save: Saving<T>) {
  const stepUp = useStepUp()
  const [open, setOpen] = useState(false)
  const [asked, setAsked] = useState<PendingChange<T, S> | null>(null)
  const sending = useMutation({
    mutationFn: async ({ change, subject }: PendingChange<T, S>) => {
      const proof = await stepUp.prove({ purpose: 'security.relax', subject })
      await save.mutateAsync({ ...change, proof })
    },
    onSuccess: () => setOpen(false),
  })
  const show = (isOpen: boolean) => {
    setOpen(isOpen)
    stepUp.reset()
    sending.reset()
    save.reset()
  }
  const isUnproven = sending.error === null || sending.error instanceof StepUpError
  return {
    /** The change that the person is asked to confirm, or was last asked to. */
    asked,
    ask: (question: PendingChange<T, S>) => {
      setAsked(question)
      show(true)
    },
    dialog: {
      open,
      onOpenChange: show,
      busy: sending.isPending,
      proving: stepUp.busy,
      failure: isUnproven ? stepUp.failure : { error: sending.error },
      onConfirm: () => {
        if (asked !== null) sending.mutate(asked)
      },
    },
  }
}
