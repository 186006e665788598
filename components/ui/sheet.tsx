'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Overlay, OverlayHeader } from './overlay'

interface SheetProps {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly children: ReactNode
}

/** Shows a panel at the lower edge, within reach of a thumb. */
export function Sheet({ title, open, onOpenChange, children }: SheetProps) {
  return (
    <Overlay open={open} onOpenChange={onOpenChange}>
      <Base.Popup className="fixed inset-x-0 bottom-0 z-50 max-h-[85dvh] overflow-y-auto rounded-t-card border-t border-line bg-surface px-4 pb-[max(1rem,env(safe-area-inset-bottom))] text-ink shadow-overlay transition-transform duration-200 data-ending-style:translate-y-full data-starting-style:translate-y-full">
        <OverlayHeader title={title} className="sticky top-0 flex items-center justify-between bg-surface py-3" />
        {children}
      </Base.Popup>
    </Overlay>
  )
}
