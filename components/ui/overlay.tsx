'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from './button'
import { uiTexts } from './messages'
import { NoticesInPlace } from './notices'

interface OverlayProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly children: ReactNode
}

/** Shows an overlay above the dimmed page; Escape and a press beside it close it. */
export function Overlay({ open, onOpenChange, children }: OverlayProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-backdrop transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <NoticesInPlace>{children}</NoticesInPlace>
      </Base.Portal>
    </Base.Root>
  )
}

interface OverlayHeaderProps {
  readonly title: string
  readonly className: string
}

/** The title of the popup in an overlay, and the button that closes it. */
export function OverlayHeader({ title, className }: OverlayHeaderProps) {
  const uiText = useText(uiTexts)
  return (
    <div className={className}>
      <Base.Title className="text-lg font-semibold tracking-tight">{title}</Base.Title>
      <Base.Close render={<Button variant="quiet" size="icon" aria-label={uiText.close} />}>
        <X aria-hidden />
      </Base.Close>
    </div>
  )
}
