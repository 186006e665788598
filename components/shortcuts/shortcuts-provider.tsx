'use client'

import { useRouter } from 'next/navigation'
import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useState } from 'react'
import { type Command, createKeyReader, isCovered, isTyping, singleKeysOn } from './keys'

// Fetched when they are first opened, so that pages do not load them.
const Palette = lazy(() => import('./palette').then(({ Palette: view }) => ({ default: view })))
const ShortcutsHelp = lazy(() => import('./shortcuts-help').then(({ ShortcutsHelp: view }) => ({ default: view })))

type Shown = 'palette' | 'help'

const OpenContext = createContext<(what: Shown) => void>(() => undefined)

/** Returns a function that opens the palette or the list of shortcuts. */
export const useOpenShortcuts = () => use(OpenContext)

/** Listens for the portal's shortcuts. None of them approves or declines anything. */
export function ShortcutsProvider({ children }: { readonly children: ReactNode }) {
  const router = useRouter()
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => {
    const read = createKeyReader()
    const run = (command: Command) => {
      if (command.kind === 'go') router.push(command.href)
      else if (command.kind === 'filter') focusFilter()
      else setShown(command.kind)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat || isCovered()) return
      const command = read(event, singleKeysOn() && !isTyping(event.target))
      if (command === null) return
      event.preventDefault()
      run(command)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [router])
  const close = () => setShown(null)
  return (
    <OpenContext value={setShown}>
      {children}
      <Suspense fallback={null}>
        {shown === 'palette' ? <Palette onClose={close} onHelp={() => setShown('help')} /> : null}
        {shown === 'help' ? <ShortcutsHelp onClose={close} /> : null}
      </Suspense>
    </OpenContext>
  )
}

function focusFilter(): void {
  document.querySelector<HTMLElement>('[data-filter]')?.focus()
}
