import { agents, approvals, home, limits, type NavItem, payments } from '@/components/layout/nav'
import { rememberChoice, rememberedChoice } from '@/components/lib/remember'

/** The name of the cookie that stores whether single keys are shortcuts (WCAG 2.2, success criterion 2.1.4). */
const COOKIE = 'single-keys'

export const singleKeysOn = (): boolean => rememberedChoice(COOKIE) !== 'off'
export const turnSingleKeys = (on: boolean): void => rememberChoice(COOKIE, on ? 'on' : 'off')

/** The pages that `g` and another key open. No key decides anything. */
export const goKeys: Readonly<Record<string, NavItem>> = { h: home, a: approvals, g: agents, l: limits, p: payments }

/** How long after `g` the second key may follow. */
const SEQUENCE_MS = 1500

export type Command = { readonly kind: 'palette' | 'help' | 'filter' } | { readonly kind: 'go'; readonly href: string }

const alone: ReadonlyMap<string, Command> = new Map([
  ['/', { kind: 'filter' }],
  ['?', { kind: 'help' }],
])

type Press = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'timeStamp'>

/** Returns a function that turns keys pressed one after the other into commands; null for keys without one. */
export function createKeyReader(): (press: Press, singleKeys: boolean) => Command | null {
  let begunAt = Number.NEGATIVE_INFINITY
  return ({ key, metaKey, ctrlKey, altKey, timeStamp }, singleKeys) => {
    const page = timeStamp - begunAt < SEQUENCE_MS ? goKeys[key] : undefined
    const withModifier = metaKey || ctrlKey
    begunAt = Number.NEGATIVE_INFINITY
    if (altKey) return null
    if (withModifier) return key.toLowerCase() === 'k' ? { kind: 'palette' } : null
    if (!singleKeys) return null
    if (page !== undefined) return { kind: 'go', href: page.href }
    if (key === 'g') begunAt = timeStamp
    return alone.get(key) ?? null
  }
}

const TYPING = 'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=combobox]'

/** Returns whether the focused element takes keys itself, so that none may be a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPING) !== null
}

/** Returns whether a dialog over the page must be answered or closed first. */
export function isCovered(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog]') !== null
}
