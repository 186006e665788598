'use client'

import { LogOut } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { Button } from '@/components/ui/button'
import { RequestFailure } from '@/components/ui/request-failure'
import { Sheet } from '@/components/ui/sheet'
import { layoutText } from './messages'
import { cards, limits, merchants, notifications } from './nav'
import { NavLink } from './nav-link'
import { ThemeChoice } from './theme-choice'
import { useSignOut } from './use-sign-out'
import { Initial } from './user-menu'

interface MoreSheetProps {
  readonly name: string
  readonly email: string | null
  readonly trigger: ReactElement
}

export function MoreSheet({ name, email, trigger }: MoreSheetProps) {
  const [open, setOpen] = useState(false)
  const { signOut, signOutEverywhere, failure } = useSignOut()
  return (
    <Sheet title={layoutText.nav.more} trigger={trigger} open={open} onOpenChange={setOpen}>
      <div className="grid gap-5 pb-2">
        <div className="grid gap-1">
          {[limits, merchants, cards, notifications].map((item) => (
            <NavLink key={item.href} item={item} layout="row" onClick={() => setOpen(false)} />
          ))}
        </div>
        <ThemeChoice />
        <div className="flex items-center gap-3 border-t border-line pt-4">
          <Initial name={name} />
          <p className="grid min-w-0">
            <span className="truncate font-medium">{name}</span>
            {email === null ? null : <span className="truncate text-sm text-muted">{email}</span>}
          </p>
        </div>
        {failure === null ? null : <RequestFailure error={failure} />}
        <div className="grid gap-3">
          <Button variant="secondary" onClick={signOut}>
            <LogOut aria-hidden />
            {layoutText.signOut}
          </Button>
          <Button variant="secondary" onClick={signOutEverywhere}>
            {layoutText.signOutEverywhere}
          </Button>
        </div>
      </div>
    </Sheet>
  )
}
