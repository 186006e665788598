'use client'

import { useEffect } from 'react'

/** Where somebody is on the page, and what there is to go to when that is gone. */
interface Place {
  readonly control: HTMLElement
  readonly scope: Element | null
  /** Those before the control, in their order. */
  readonly headings: readonly HTMLElement[]
}

const OVER_THE_PAGE = '[role="dialog"], [role="alertdialog"]'

/**
 * Keeps the place of keyboard users. When the control that has the focus goes away, because it did its work,
 * the focus moves to what is marked `data-focus-next` within the same `data-focus-scope`, or else to the last heading
 * before the control; after something that lay over the page, to where it was before that.
 */
export function KeepFocus() {
  useEffect(() => {
    let focused: HTMLElement | null = null
    let place: Place | null = null
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      focused = target
      if (target.closest('main') !== null && target.closest(OVER_THE_PAGE) === null) place = placeOf(target)
    }
    const restore = () => {
      if (focused === null || focused.isConnected || document.activeElement !== document.body) return
      focused = null
      if (place !== null) moveTo(place)
    }
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
