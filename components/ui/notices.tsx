'use client'

import { createContext, type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'

/** The id of the place below the header where notices of failures are shown. */
export const NOTICES_ID = 'notices'

const InPlaceContext = createContext(false)

/** Wraps an overlay, whose notices stay in it, since the place below the header cannot be reached meanwhile. */
export function NoticesInPlace({ children }: { readonly children: ReactNode }) {
  return <InPlaceContext value>{children}</InPlaceContext>
}

/** Shows a notice below the header, where it stays in sight; in place where there is no header. */
export function AtTop({ children }: { readonly children: ReactNode }) {
  const inPlace = use(InPlaceContext) || typeof document === 'undefined'
  const place = inPlace ? null : document.getElementById(NOTICES_ID)
  return place === null ? children : createPortal(children, place)
}
