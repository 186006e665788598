'use client'

import { ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Initial } from './initial'

const load = () => import('./user-menu-popup')
// Fetched when it is about to be opened, so that pages do not load it.
const Popup = lazy(() => load().then(({ UserMenuPopup: view }) => ({ default: view })))

const buttonClass =
  'flex min-h-14 w-full items-center gap-3 rounded-control px-2 text-start hover:bg-sunken data-popup-open:bg-sunken'

interface UserMenuProps {
  readonly name: string
  readonly email: string | null
}

export function UserMenu({ name, email }: UserMenuProps) {
  const [wanted, setWanted] = useState(false)
  const person = (
    <>
      <Initial name={name} />
      <span className="grid min-w-0 flex-1">
        <span className="one-line font-medium">{name}</span>
        {email === null ? null : <span className="one-line text-sm text-muted">{email}</span>}
      </span>
      <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
    </>
  )
  const button = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      className={buttonClass}
      onPointerEnter={() => void load()}
      onClick={() => setWanted(true)}
    >
      {person}
    </button>
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <Popup className={buttonClass}>{person}</Popup>
    </Suspense>
  )
}
