'use client'

import { LogOut } from 'lucide-react'
import { LanguageChoice } from '@/components/i18n/language-choice'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { RequestFailure } from '@/components/ui/request-failure'
import { Sheet } from '@/components/ui/sheet'
import { Initial } from './initial'
import { layoutTexts } from './messages'
import { morePages } from './nav'
import { NavLink } from './nav-link'
import { NavName } from './nav-name'
import { ThemeChoice } from './theme-choice'
import { useSignOut } from './use-sign-out'

interface MorePanelProps {
  readonly name: string
  readonly email: string | null
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

export function MorePanel({ name, email, open, onOpenChange }: MorePanelProps) {
  const layoutText = useText(layoutTexts)
  const { signOut, signOutEverywhere, failure } = useSignOut()
  return (
    <Sheet title={layoutText.nav.more} open={open} onOpenChange={onOpenChange}>
      <div className="grid gap-5 pb-2">
        <div className="grid gap-1">
          {morePages.map((item) => (
            <NavLink key={item.href} item={item} layout="row" onClick={() => onOpenChange(false)}>
              <NavName name={item.name} text={layoutText} />
            </NavLink>
          ))}
        </div>
        <ThemeChoice />
        <LanguageChoice />
        <div className="flex items-center gap-3 border-t border-line pt-4">
          <Initial name={name} />
          <p className="grid min-w-0">
            <span className="one-line font-medium">{name}</span>
            {email === null ? null : <span className="one-line text-sm text-muted">{email}</span>}
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
