'use client'

import { Menu } from '@base-ui/react/menu'
import { Check, ChevronsUpDown } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useState } from 'react'
import { RequestFailure } from '@/components/ui/request-failure'
import { layoutText } from './messages'
import { isCurrent, notifications } from './nav'
import { themes } from './theme'
import { useSignOut } from './use-sign-out'
import { useTheme } from './use-theme'

const itemClass =
  'flex min-h-11 cursor-default select-none items-center gap-2 rounded-control px-3 outline-none data-highlighted:bg-sunken aria-[current=page]:text-accent'

interface UserMenuProps {
  readonly name: string
  readonly email: string | null
}

export function UserMenu({ name, email }: UserMenuProps) {
  const [theme, setTheme] = useTheme()
  const pathname = usePathname()
  // Opened where the button is, and not at the end of the page, the menu stays part of the sidebar.
  const [host, setHost] = useState<HTMLDivElement | null>(null)
  const { signOut, signOutEverywhere, failure } = useSignOut()
  return (
    <div ref={setHost}>
      <Menu.Root>
        <Menu.Trigger className="flex min-h-14 w-full items-center gap-3 rounded-control px-2 text-start hover:bg-sunken data-popup-open:bg-sunken">
          <Initial name={name} />
          <span className="grid min-w-0 flex-1">
            <span className="truncate font-medium">{name}</span>
            {email === null ? null : <span className="truncate text-sm text-muted">{email}</span>}
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </Menu.Trigger>
        <Menu.Portal container={host}>
          <Menu.Positioner side="top" align="start" sideOffset={8} className="z-50 outline-none">
            <Menu.Popup className="grid w-60 gap-1 rounded-card border border-line bg-surface p-2 text-ink shadow-overlay outline-none">
              <Menu.RadioGroup value={theme} onValueChange={setTheme}>
                <Menu.GroupLabel className="px-3 py-1.5 text-sm text-muted">{layoutText.theme}</Menu.GroupLabel>
                {themes.map((option) => (
                  <Menu.RadioItem key={option} value={option} className={itemClass}>
                    <span className="flex-1">{layoutText.themes[option]}</span>
                    <Menu.RadioItemIndicator>
                      <Check aria-hidden className="size-4" />
                    </Menu.RadioItemIndicator>
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
              <Menu.Separator className="my-1 h-px bg-line" />
              <Menu.LinkItem
                className={itemClass}
                closeOnClick
                aria-current={isCurrent(notifications, pathname) ? 'page' : undefined}
                render={<Link href={notifications.href} />}
              >
                {notifications.label}
              </Menu.LinkItem>
              <Menu.Separator className="my-1 h-px bg-line" />
              <Menu.Item className={itemClass} onClick={signOut}>
                {layoutText.signOut}
              </Menu.Item>
              <Menu.Item className={itemClass} closeOnClick={false} onClick={signOutEverywhere}>
                {layoutText.signOutEverywhere}
              </Menu.Item>
              {failure === null ? null : <RequestFailure error={failure} />}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </div>
  )
}

export function Initial({ name }: { readonly name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent uppercase"
    >
      {Array.from(name.trim())[0] ?? '?'}
    </span>
  )
}
