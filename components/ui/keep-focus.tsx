'use client'

import { useEffect } from 'react'

/** The focused control and its fallbacks. */
interface Place {
  readonly control: HTMLElement
  readonly scope: Element | null
  /** The headings before the control, in their order. */
  readonly headings: readonly HTMLElement[]
}

/** An open dialog or popover in front of the page: not one that is closing, and not a notice, which has the same role. */
const OVER_THE_PAGE = '[role="dialog"][data-open], [role="alertdialog"][data-open]'

/** Where the place of a focused control is kept: within the page itself, and in marked elements outside it. */
const KEPT = 'main, [data-focus-next]'

/**
 * Keeps the place of keyboard users. When the focused control is removed, because it did its work, the focus moves to
 * the element marked `data-focus-next` within the same `data-focus-scope`, or else to the last heading before the
 * control; after an overlay closes, to where it was before. An element that does not exist yet gets the focus once it
 * does.
 */
export function KeepFocus() {
  useEffect(() => {
    let focused: HTMLElement | null = null
    let place: Place | null = null
    const remember = () => {
      const { activeElement: target } = document
      if (!(target instanceof HTMLElement) || target === document.body) return
      focused = target
      // While a dialog is open, the place stays the control that opened it.
      if (target.closest(KEPT) !== null && document.querySelector(OVER_THE_PAGE) === null) place = placeOf(target)
    }
    const restore = () => {
      const isLost = focused?.isConnected === false && document.activeElement === document.body
      if (isLost && place !== null) moveTo(place)
    }
    remember()
    const observer = new MutationObserver(restore)
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
    }
  }, [])
  return null
}

function placeOf(control: HTMLElement): Place {
  const headings = Array.from(document.querySelectorAll<HTMLElement>('main :is(h1, h2)'))
  const isBefore = (heading: HTMLElement) =>
    Boolean(heading.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING)
  return { control, scope: control.closest('[data-focus-scope]'), headings: headings.filter(isBefore) }
}

function moveTo({ control, scope, headings }: Place): void {
  if (control.isConnected) return control.focus()
  const next = scope?.isConnected ? scope.querySelector<HTMLElement>('[data-focus-next]') : null
  const heading = headings.findLast(({ isConnected }) => isConnected)
  const target = next ?? heading
  if (target !== heading) return target?.focus()
  heading?.setAttribute('tabindex', '-1')
  heading?.focus()
}
