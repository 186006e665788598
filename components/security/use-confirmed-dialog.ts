'use client'

import { useState } from 'react'
import { useConfirmed } from './use-confirmed'

/**
 * Returns {@link useConfirmed} for a dialog, which closes when the server has answered. Closing it before anything was
 * sent cancels the change, and clears a failure.
 */
export function useConfirmedDialog<T>({ onSuccess, ...options }: Parameters<typeof useConfirmed<T>>[0]) {
  const [open, setOpen] = useState(false)
  const { run, busy, proving, failure, reset } = useConfirmed({
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
  return { ask: () => onOpenChange(true), failure, dialog: { open, onOpenChange, busy, proving, onConfirm: run } }
}
