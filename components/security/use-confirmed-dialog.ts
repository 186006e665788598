'use client'

import { useState } from 'react'
import { useConfirmed } from './use-confirmed'

/** The same, asked for in a dialog, which closes when the answer is there and forgets a failure when it is turned. */
export function useConfirmedDialog<T>({ onSuccess, ...options }: Parameters<typeof useConfirmed<T>>[0]) {
  const [open, setOpen] = useState(false)
  const { run, busy, failure, reset } = useConfirmed({
    ...options,
    onSuccess: (answer) => {
      setOpen(false)
      onSuccess?.(answer)
    },
  })
  const onOpenChange = (isOpen: boolean) => {
    setOpen(isOpen)
    reset()
  }
  return { ask: () => onOpenChange(true), failure, dialog: { open, onOpenChange, busy, onConfirm: run } }
}
