'use client'

import { type ReactNode, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { layoutTexts } from '@/components/layout/messages'
import { Choice } from '@/components/ui/choice'
import { Dialog } from '@/components/ui/dialog'
import { goKeys, singleKeysOn, turnSingleKeys } from './keys'
import { shortcutsTexts } from './messages'

/** Lists the shortcuts, and switches those of single keys on or off. */
export function ShortcutsHelp({ onClose }: { readonly onClose: () => void }) {
  const text = useText(shortcutsTexts).help
  const { nav, controlKey } = useText(layoutTexts)
  const [on, setOn] = useState(singleKeysOn)
  const turn = (wanted: boolean) => {
    turnSingleKeys(wanted)
    setOn(wanted)
  }
  return (
    <Dialog title={text.title} open onOpenChange={onClose}>
      <div className="grid gap-5 p-5">
        <p className="text-muted">{text.description}</p>
        <dl className="grid gap-2">
          <Shortcut what={text.palette}>
            <Key>{controlKey}</Key> <Key>K</Key> / <Key>⌘</Key> <Key>K</Key>
          </Shortcut>
          {Object.entries(goKeys).map(([key, page]) => (
            <Shortcut key={key} what={text.goTo(nav[page.name])}>
              <Key>g</Key> {text.next} <Key>{key}</Key>
            </Shortcut>
          ))}
          <Shortcut what={text.filter}>
            <Key>/</Key>
          </Shortcut>
          <Shortcut what={text.help}>
            <Key>?</Key>
          </Shortcut>
        </dl>
        <Choice
          id="single-keys"
          kind="checkbox"
          label={text.single.label}
          hint={text.single.hint}
          checked={on}
          onChange={(event) => turn(event.target.checked)}
        />
      </div>
    </Dialog>
  )
}

function Shortcut({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <dt>{what}</dt>
      <dd className="text-sm text-muted">{children}</dd>
    </div>
  )
}

function Key({ children }: { readonly children: string }) {
  return (
    <kbd className="inline-grid min-h-7 min-w-7 place-items-center rounded-control border border-control bg-sunken px-1.5 font-mono text-ink">
      {children}
    </kbd>
  )
}
