/** A ref that scrolls the element into sight when it appears; no further than needed. */
export function intoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
