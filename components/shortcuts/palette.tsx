'use client'

import { Autocomplete } from '@base-ui/react/autocomplete'
import { useQuery } from '@tanstack/react-query'
import { Bot, Keyboard, LogOut, type LucideIcon, Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { layoutTexts } from '@/components/layout/messages'
import { pages } from '@/components/layout/nav'
import { navIcons } from '@/components/layout/nav-icons'
import { useSignOut } from '@/components/layout/use-sign-out'
import { plainName } from '@/components/lib/plain-text'
import { Dialog } from '@/components/ui/dialog'
import { RequestFailure } from '@/components/ui/request-failure'
import { shortcutsTexts } from './messages'

interface Entry {
  readonly key: string
  readonly name: string
  readonly icon: LucideIcon
  /** The kind of the entry, where its name does not say it. */
  readonly note?: string
  readonly run: () => void
}

interface PaletteProps {
  readonly onClose: () => void
  readonly onHelp: () => void
}

/** Opens a page or an agent by its name. It decides nothing. */
export function Palette({ onClose, onHelp }: PaletteProps) {
  const text = useText(shortcutsTexts).palette
  const { signOut, failure } = useSignOut()
  const entries = useEntries({ onClose, onHelp, signOut })
  const input = useRef<HTMLInputElement>(null)
  return (
    <Dialog title={text.title} open onOpenChange={onClose} initialFocus={input}>
      <Autocomplete.Root
        open
        inline
        autoHighlight="always"
        keepHighlight
        items={entries}
        itemToStringValue={({ name }: Entry) => name}
      >
        <div className="flex items-center gap-3 border-b border-line px-5">
          <Search aria-hidden className="size-5 shrink-0 text-muted" />
          <Autocomplete.Input
            ref={input}
            aria-label={text.search}
            placeholder={text.placeholder}
            className="min-h-14 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted"
          />
        </div>
        <Autocomplete.Empty className="p-5 text-muted empty:hidden">{text.none}</Autocomplete.Empty>
        <Autocomplete.List aria-label={text.list} className="max-h-[50dvh] overflow-y-auto p-2 empty:hidden">
          {({ key, name, icon: Icon, note, run }: Entry) => (
            <Autocomplete.Item
              key={key}
              value={{ key, name, icon: Icon, run }}
              onClick={run}
              className="flex min-h-11 cursor-default select-none items-center gap-3 rounded-control px-3 data-highlighted:bg-accent-soft"
            >
              <Icon aria-hidden className="size-5 shrink-0 text-muted" />
              <bdi className="min-w-0 flex-1">{name}</bdi>
              {note === undefined ? null : <span className="shrink-0 text-sm text-muted">{note}</span>}
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
      {failure === null ? null : (
        <div className="p-3">
          <RequestFailure error={failure} />
        </div>
      )}
    </Dialog>
  )
}

function useEntries({ onClose, onHelp, signOut }: PaletteProps & { readonly signOut: () => void }): Entry[] {
  const layoutText = useText(layoutTexts)
  const text = useText(shortcutsTexts)
  const trpc = useTRPC()
  const router = useRouter()
  const { data } = useQuery(trpc.agents.list.queryOptions())
  const go = (href: string) => () => {
    onClose()
    router.push(href)
  }
  return [
    ...pages.map(({ href, name }) => ({ key: href, name: layoutText.nav[name], icon: navIcons[name], run: go(href) })),
    ...(data?.agents ?? []).map(({ client_id: id, label }) => {
      const href = `/agents/${encodeURIComponent(id)}`
      return { key: href, name: plainName(label), icon: Bot, note: text.palette.agent, run: go(href) }
    }),
    { key: 'help', name: text.help.title, icon: Keyboard, run: onHelp },
    { key: 'sign-out', name: layoutText.signOut, icon: LogOut, run: signOut },
  ]
}
