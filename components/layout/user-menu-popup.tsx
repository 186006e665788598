'use client'

import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { languageNames, locales } from '@/components/i18n/locale'
import { useText } from '@/components/i18n/locale-provider'
import { useLanguage } from '@/components/i18n/use-language'
import { useOpenShortcuts } from '@/components/shortcuts/shortcuts-provider'
import { NoticesInPlace } from '@/components/ui/notices'
import { RequestFailure } from '@/components/ui/request-failure'
import { layoutTexts } from './messages'
import { isCurrent, settings } from './nav'
import { themes } from './theme'
import { useSignOut } from './use-sign-out'
import { useTheme } from './use-theme'

const itemClass =
  'flex min-h-11 cursor-default select-none items-center gap-2 rounded-control px-3 outline-none data-highlighted:bg-sunken aria-[current=page]:text-accent'
const labelClass = 'px-3 py-1.5 text-sm text-muted'

interface UserMenuPopupProps {
  readonly className: string
  /** The content of the button. */
  readonly children: ReactNode
}

/** The button with its menu, open at first. */
export function UserMenuPopup({ className, children }: UserMenuPopupProps) {
  // Opened next to the button, not at the end of the page, the menu stays part of the sidebar.
  const [host, setHost] = useState<HTMLDivElement | null>(null)
  return (
    <div ref={setHost}>
      <Menu.Root defaultOpen>
        <Menu.Trigger className={className}>{children}</Menu.Trigger>
        <Menu.Portal container={host}>
          <Menu.Positioner side="top" align="start" sideOffset={8} className="z-50 outline-none">
            {/* It scrolls where the window is low, so Tab must reach it. */}
            <Menu.Popup
              tabIndex={0}
              className="grid max-h-(--available-height) w-60 gap-1 overflow-y-auto rounded-card border border-line bg-surface p-2 text-ink shadow-overlay outline-none"
            >
              <Looks />
              <Separator />
              <SettingsLinks />
              <Separator />
              <Actions />
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </div>
  )
}

const Separator = () => <Menu.Separator className="my-1 h-px bg-line" />

/** Offers the themes and the languages. */
function Looks() {
  const layoutText = useText(layoutTexts)
  const [theme, setTheme] = useTheme()
  const [language, chooseLanguage] = useLanguage()
  return (
    <>
      <Menu.RadioGroup value={theme} onValueChange={setTheme}>
        <Menu.GroupLabel className={labelClass}>{layoutText.theme}</Menu.GroupLabel>
        {themes.map((option) => (
          <Option key={option} value={option} label={layoutText.themes[option]} />
        ))}
      </Menu.RadioGroup>
      <Separator />
      <Menu.RadioGroup value={language} onValueChange={chooseLanguage}>
        <Menu.GroupLabel className={labelClass}>{layoutText.language}</Menu.GroupLabel>
        {locales.map((option) => (
          <Option key={option} value={option} label={languageNames[option]} lang={option} />
        ))}
      </Menu.RadioGroup>
    </>
  )
}

interface OptionProps {
  readonly value: string
  readonly label: string
  readonly lang?: string
}

function Option({ value, label, lang }: OptionProps) {
  return (
    <Menu.RadioItem value={value} className={itemClass}>
      <span lang={lang} className="flex-1">
        {label}
      </span>
      <Menu.RadioItemIndicator>
        <Check aria-hidden className="size-4" />
      </Menu.RadioItemIndicator>
    </Menu.RadioItem>
  )
}

function SettingsLinks() {
  const { nav } = useText(layoutTexts)
  const pathname = usePathname()
  return settings.map((item) => (
    <Menu.LinkItem
      key={item.href}
      className={itemClass}
      closeOnClick
      aria-current={isCurrent(item, pathname) ? 'page' : undefined}
      render={<Link href={item.href} />}
    >
      {nav[item.name]}
    </Menu.LinkItem>
  ))
}

function Actions() {
  const layoutText = useText(layoutTexts)
  const open = useOpenShortcuts()
  const { signOut, signOutEverywhere, failure } = useSignOut()
  return (
    <>
      <Menu.Item className={itemClass} onClick={() => open('palette')}>
        <span className="flex-1">{layoutText.goTo}</span>
        <kbd aria-hidden className="font-mono text-sm text-muted">
          {layoutText.controlKey} K
        </kbd>
      </Menu.Item>
      <Menu.Item className={itemClass} onClick={() => open('help')}>
        {layoutText.shortcuts}
      </Menu.Item>
      <Separator />
      <Menu.Item className={itemClass} closeOnClick={false} onClick={signOut}>
        {layoutText.signOut}
      </Menu.Item>
      <Menu.Item className={itemClass} closeOnClick={false} onClick={signOutEverywhere}>
        {layoutText.signOutEverywhere}
      </Menu.Item>
      <NoticesInPlace>{failure === null ? null : <RequestFailure error={failure} />}</NoticesInPlace>
    </>
  )
}
