'use client'

import { createContext, type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'

/** The id of the place below the header where notices of what went wrong stand. */
export const NOTICES_ID = 'notices'

const InPlaceContext = createContext(false)

/** For what lies over the page: its notices stay in it, since what is below the header cannot be reached meanwhile. */
export function NoticesInPlace({ children }: { readonly children: ReactNode }) {
  return <InPlaceContext value>{children}</InPlaceContext>
}

/** Shows a notice below the header, in sight whatever was scrolled; where there is no such place, where it is written. */
export function AtTop({ children }: { readonly children: ReactNode }) {
  const inPlace = use(InPlaceContext) || typeof document === 'undefined'
  const place = inPlace ? null : document.getElementById(NOTICES_ID)
  return place === null ? children : createPortal(children, place)
}
