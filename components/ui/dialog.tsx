'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { Overlay, OverlayHeader } from './overlay'

interface DialogProps {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The element that is focused first; the close button when left out. */
  readonly initialFocus?: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

/** Shows a panel over the page that needs no answer. */
export function Dialog({ title, open, onOpenChange, initialFocus, children }: DialogProps) {
  return (
    <Overlay open={open} onOpenChange={onOpenChange}>
      <Base.Viewport className="fixed inset-0 z-50 grid content-start justify-items-center overflow-y-auto p-4 sm:pt-[12dvh]">
        <Base.Popup
          {...(initialFocus && { initialFocus })}
          className="grid w-full max-w-lg grid-cols-[minmax(0,1fr)] rounded-card border border-line bg-surface text-ink shadow-overlay transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
        >
          <OverlayHeader
            title={title}
            className="flex items-center justify-between gap-4 border-b border-line py-2 ps-5 pe-2"
          />
          {children}
        </Base.Popup>
      </Base.Viewport>
    </Overlay>
  )
}
