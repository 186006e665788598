import { agents, approvals, home, limits, type NavItem, payments } from '@/components/layout/nav'
import { rememberChoice, rememberedChoice } from '@/components/lib/remember'

/** Whether single keys do anything (WCAG 2.2, success criterion 2.1.4). */
const COOKIE = 'single-keys'

export const singleKeysOn = (): boolean => rememberedChoice(COOKIE) !== 'off'
export const turnSingleKeys = (on: boolean): void => rememberChoice(COOKIE, on ? 'on' : 'off')

/** Where `g` and another key lead. None of them decides anything. */
export const goKeys: Readonly<Record<string, NavItem>> = { h: home, a: approvals, g: agents, l: limits, p: payments }

/** `g` waits this long for the key after it. */
const SEQUENCE_MS = 1500

export type Command = { readonly kind: 'palette' | 'help' | 'filter' } | { readonly kind: 'go'; readonly href: string }

const alone: ReadonlyMap<string, Command> = new Map([
  ['/', { kind: 'filter' }],
  ['?', { kind: 'help' }],
])

type Press = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'timeStamp'>

/** Makes commands of the keys that are pressed one after the other; null for those that mean nothing. */
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

/** Whether keys belong to what has the focus, so that none of them may be a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPING) !== null
}

/** Whether something lies over the page that has to be answered or closed first. */
export function isCovered(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog]') !== null
}
